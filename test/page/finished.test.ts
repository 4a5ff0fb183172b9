// The finished bytes of a page: read back as they were put in, and searched, decoded.
import { expect, test } from 'vitest';
import { searchPage } from '../../cli/support/pageExport.ts';
import { scrubberOf } from '../../cli/support/scrubbing.ts';
import { packPiece, unpackPiece } from '../../core/engine/page/bundlePage.ts';
import { PAGE_DATA, PAGE_TITLE, pageHtml, piecesOf } from '../../core/page/html.ts';
import type { PageAbout, PagePiece } from '../../core/page/types.ts';

const SHELL = `<title>${PAGE_TITLE}</title>\n${PAGE_DATA}\n<script>own</script>`;

function pageOf(pieces: readonly PagePiece[], title = 'A <session> & "more" $&'): string {
  const about: PageAbout = {
    ...{ parallax: '0', createdAt: '2026-01-01', title, format: 'test', messages: 1, at: 1, policy: 'raw' },
    ...{ prefixHash: 'sha256:0', scrub: { scrubbed: true, findings: [] } },
  };
  return pageHtml(SHELL, about, pieces, packPiece);
}

const messages = (text: string): PagePiece => ({ name: 'messages0', json: JSON.stringify({ rawJson: text }) });
const TOKEN = 'ghp_Zk3vQ9xLw2Rt7YbN5mHc8JfDs1GaPe4UoKiV';

test('pieces come out of the file as they went in, and nothing of them is markup', () => {
  const pieces = [messages('</script><script>hit()</script> $& <!--'), { name: 'rows0', json: '[]' }];
  const html = pageOf(pieces);
  expect(piecesOf(html, unpackPiece)).toEqual(pieces);
  expect(html).not.toContain('hit()');
  expect(html).toContain('<title>A &lt;session&gt; &amp; &quot;more&quot; $&amp;</title>');
  expect(() => pageHtml('<p>', { ...JSON.parse('{}') }, [], packPiece)).toThrow('takes no pieces');
});

test('what is left in a piece or in the title ends the export, and the message names no value', async () => {
  for (const html of [
    pageOf([messages(`the key ${TOKEN} is here`)]),
    pageOf([], `mail to dora.k@quayside-works.com`),
  ]) {
    const scrubber = await scrubberOf({}, undefined);
    let said = '';
    try {
      searchPage(scrubber, html);
    } catch (error) {
      said = error instanceof Error ? error.message : '';
    }
    expect(said).toContain('nothing was written');
    expect(said).not.toMatch(/Zk3v|dora/);
  }
  searchPage(await scrubberOf({}, undefined), pageOf([messages('nothing to see')]));
});

test('the cut end of a line is not taken for a value; the message it is of is searched', async () => {
  const cut: PagePiece = { name: 'rows0', json: JSON.stringify([{ raw: { text: `all of /Users/use…` } }]) };
  searchPage(await scrubberOf({}, undefined), pageOf([cut, messages('all of it')]));
  const whole = { name: 'rows0', json: JSON.stringify([{ raw: { text: `token=${TOKEN} and more…` } }]) };
  const scrubber = await scrubberOf({}, undefined);
  expect(() => searchPage(scrubber, pageOf([whole]))).toThrow('nothing was written');
});
