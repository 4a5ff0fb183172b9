// Each colour of a text on each ground it may lie on, in both themes: `npm run contrast:table`. WCAG 2.2, 1.4.3 asks for 4.5.
import { CODE_GROUNDS, CODE_INKS, coloursOfTheme, contrast, GROUNDS, INKS } from './support/contrast.ts';

const ENOUGH = 4.5;

function table(theme: 'dark' | 'light', inks: RegExp, grounds: readonly string[]): readonly number[] {
  const colours = coloursOfTheme(theme);
  const width = 16;
  console.log(`\n${theme.padEnd(width)}${grounds.map((ground) => ground.padStart(12)).join('')}`);
  return [...colours].flatMap(([ink, colour]) => {
    if (!inks.test(ink)) return [];
    const ratios = grounds.map((ground) => contrast(colour, colours.get(ground) ?? '#000000'));
    const cells = ratios.map((ratio) => `${ratio < ENOUGH ? '! ' : ''}${ratio.toFixed(2)}`.padStart(12));
    console.log(`${ink.padEnd(width)}${cells.join('')}`);
    return ratios;
  });
}

const ratios = (['dark', 'light'] as const).flatMap((theme) => [
  ...table(theme, INKS, GROUNDS),
  ...table(theme, CODE_INKS, CODE_GROUNDS),
]);
const low = ratios.filter((ratio) => ratio < ENOUGH).length;
console.log(`\n${ratios.length} pairs, ${low} under ${ENOUGH}:1, lowest ${Math.min(...ratios).toFixed(2)}:1`);
process.exitCode = low === 0 ? 0 : 1;
