import type { SitePage } from './site-pages.js';

/** The index for language models (llmstxt.org): a line per page. */
export function llmsIndex(pages: readonly SitePage[]): string {
  const lines = pages
    .filter(({ path }) => !/^(?:adr|contributing)\//.test(path))
    .map(({ path, title }) => `- [${title}](/${path.replace(/\.md$/, '.html')})`);
  return [
    '# Castellan',
    '',
    '> An MCP server that gives AI agents files, commands and project knowledge under a permission policy.',
    '',
    '## Pages',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** Guides, explanations and hand-written reference in one text. */
export function llmsText(pages: readonly SitePage[]): string {
  return pages
    .filter(({ path }) => /^(?:index\.md|tutorial\/|how-to\/|explanation\/|reference\/[^/]+$)/.test(path))
    .map(({ text }) => text.trim())
    .join('\n\n---\n\n');
}
