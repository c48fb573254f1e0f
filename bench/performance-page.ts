const BEGIN = '<!-- figures: npm run bench -- --peers --write bench/performance.md -->';
const END = '<!-- end of figures -->';

/** The page with the figures of a run in place of those it had. Headings of the report go one level down. */
export function withFigures(page: string, report: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The page has no place for figures: ${BEGIN} … ${END}.`);
  const figures = report.replaceAll(/^## /gm, '### ').trim();
  return `${page.slice(0, begin + BEGIN.length)}\n\n${figures}\n\n${page.slice(end)}`;
}
