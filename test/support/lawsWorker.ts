import { parentPort, workerData } from 'node:worker_threads';
import { type FileSurvey, type SurveyOptions, surveyFile } from './lawsSurvey.ts';

/** A thread of the laws' table: it is sent the path of a file, and answers with what it found there. */
export type LawsAnswer =
  | { readonly path: string; readonly survey: FileSurvey }
  | { readonly path: string; readonly crash: string };

const { points, transcripts, seed }: SurveyOptions = workerData;

parentPort?.on('message', (path: string) => {
  parentPort?.postMessage(answer(path));
});

function answer(path: string): LawsAnswer {
  try {
    return { path, survey: surveyFile(path, { points, transcripts, seed }) };
  } catch (error) {
    return { path, crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
