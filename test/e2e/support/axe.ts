import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The rules that hang on the colors of a page. */
export const OF_COLOR = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the page as it is, or `within` a part of it, of whatever impact, by some rules or by all (null), but for those
 * `left` out: the rule, how many nodes, the first of them.
 * Its text goes in past the page’s own policy for scripts.
 */
export async function violations(
  page: Page,
  rules: readonly string[] | null,
  within = 'html',
  left: readonly string[] = [],
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: AXE });
    await session.detach();
  }
  const found = await page.evaluate(
    async ([values, part, off]) => {
      const axe = Reflect.get(window, 'axe') as {
        run(where: string, how: object): Promise<{ violations: readonly Violation[] }>;
      };
      const some = values === null ? {} : { runOnly: { type: 'rule', values } };
      const rules = Object.fromEntries(off.map((name) => [name, { enabled: false }]));
      // What is found is told by its HTML: selectors, which take long, are not asked for.
      return (await axe.run(part, { resultTypes: ['violations'], selectors: false, rules, ...some })).violations;
    },
    [rules, within, left] as const,
  );
  return found.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}, ${nodes.length}): ${nodes[0]?.html.slice(0, 240)} ${nodes[0]?.failureSummary ?? ''}`,
  );
}
