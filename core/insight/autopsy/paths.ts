// Which of the words that have the form of a path name a file or a folder. `pass/fail` and `list.push` have that form too:
// for the look for uses they are words like others, as the paths that a compaction lost they are none.

const ROOTED = /^(?:\/(?!\/)|~\/|\.\.\/|[A-Za-z]:\/)/;
/** Endings of files, of words that have no folder before them. */
const ENDINGS = new Set(
  (
    'adoc bash bat bin bmp bz2 c cc cfg cjs clj cmd conf cpp cs css csv cts cxx dart db dll diff dockerfile env eot erl ex exe exs ' +
    'fish gif go gql gradle graphql gz h hcl hpp hs htm html ico ini ipynb jar java jpeg jpg js json json5 jsonc jsonl jsx kt kts ' +
    'less lock log lua m4 mak map md mdx mjs mk ml mov mp3 mp4 mts nix otf parquet patch pdf php pl plist png proto ps1 psm1 py pyi ' +
    'r rar rb rs rst sass scala scss sh sln so sol sql sqlite svelte svg swift tar template tex tf tfvars tgz tiff toml ts tsv tsx ' +
    'ttf txt vue wasm wav webm webp whl woff woff2 xls xlsx xml xz yaml yml zig zip zsh'
  ).split(' '),
);
/** Files that have nothing but an ending. */
const DOTFILES =
  /^\.(?:[\w-]*rc|env|git\w*|docker\w*|editorconfig|github|vscode|idea|husky|claude|codex|gemini|cursor\w*|config|cache|ssh|aws|kube|venv|npm|nvm|bash\w*|profile|zsh\w*|prettier\w*|eslint\w*|node-version|nvmrc|python-version|next|nuxt|turbo|yarn|mocharc\w*|swcrc|tool-versions)$/;

/** True if the word names a file or a folder by its form alone. */
export function isSurelyPath(path: string): boolean {
  const segments = segmentsOf(path);
  const last = segments.at(-1) ?? '';
  const ending = /\.([A-Za-z][A-Za-z0-9]{0,9})$/.exec(last)?.[1]?.toLowerCase();
  if (segments.length === 1 && !ROOTED.test(path)) {
    return DOTFILES.test(last) || (ending !== undefined && last.length > ending.length + 1 && ENDINGS.has(ending));
  }
  // `/tbody`, `/help`: the end of an element, a command of a client.
  if (segments.length === 1) return ending !== undefined;
  if (ROOTED.test(path) || segments.length > 2) return true;
  return ending !== undefined && ENDINGS.has(ending);
}

/** Those of the words that are paths: such as are surely, and two folders that follow each other in one of these. */
export function pathsAmong(words: Iterable<string>): ReadonlySet<string> {
  const all = new Set(words);
  const paths = new Set([...all].filter(isSurelyPath));
  const pairs = new Set<string>();
  for (const path of paths) {
    const segments = segmentsOf(path);
    for (let at = 1; at < segments.length; at++) pairs.add(`${segments[at - 1]}/${segments[at]}`);
  }
  for (const word of all) if (pairs.has(segmentsOf(word).join('/'))) paths.add(word);
  return paths;
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
