// What the sample is about, for the places that lead through it. The tests find each of these in the session itself.

/** The sample session, in the words of the welcome page and of its tours. */
export const SAMPLE = {
  /** Name of its file, and its session id: a transcript that has it is the sample. */
  file: 'agent-that-forgets-the-port.jsonl',
  sessionId: '5a3b1e00-0000-4000-8000-000000008443',
  title: 'Sample: an agent that forgets the port',
  /** Said in the first turn, and not in the summary. */
  forgotten: 'Use port 8443, never 8080',
  /** Said in the first turn too; the summary quotes it. */
  quoted: 'Log every request with its request id',
  /** What the agent does when it does not know the port any more. */
  violation: 'PORT=8080 npm start',
  /** Read in the first turn, gone with the compaction, and read again. */
  readAgain: 'config/server.json',
  messages: 68,
  compactions: 1,
  /** Where that is, as source indices. */
  at: { rule: 0, summary: 42, violation: 51, complaint: 60, readAgain: 61 },
} as const;
