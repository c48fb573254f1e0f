import { type Fragment, Html, html } from './html.js';

export const PAGES = ['now', 'approvals', 'history', 'policy', 'figures'] as const;

export type PageName = (typeof PAGES)[number];

const TITLES: Readonly<Record<PageName, string>> = {
  now: 'Now',
  approvals: 'Approvals',
  history: 'History',
  policy: 'Policy',
  figures: 'Figures',
};

export interface PageParts {
  readonly page: PageName;
  /** Changes while the page is open. */
  readonly live: Fragment;
  /** Does not. */
  readonly still?: Fragment;
  /** What came of the last form. */
  readonly said?: string | undefined;
  readonly waiting: number;
}

/** A whole document. Every address in it is relative: it lies below a path that only this browser knows. */
export function consolePage({ page, live, still, said, waiting }: PageParts): string {
  const links = PAGES.map(
    (name) =>
      html`<li><a href="${name}"${name === page && new Html(' aria-current="page"')}>${TITLES[name]}${
        name === 'approvals' &&
        html` <span id="waiting" class="count"${waiting === 0 && new Html(' hidden')}>${waiting}</span>`
      }</a></li>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${TITLES[page]} · Castellan</title>
<link rel="stylesheet" href="style.css">
<script src="script.js" defer></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header><strong>Castellan</strong><nav aria-label="Pages"><ul>${links}</ul></nav></header>
<main id="main" tabindex="-1">
<h1>${TITLES[page]}</h1>
<p id="said" role="status" aria-live="polite">${said ?? ''}</p>
${still ?? ''}
<div id="live">${live}</div>
</main>
</body>
</html>
`.text;
}

/** A part of a page that is exchanged when its content changes; `key` tells it from its neighbours. */
export function keyed(key: string, content: Html, element: 'section' | 'article' | 'li' = 'section'): Html {
  const tag = new Html(element);
  return html`<${tag} data-key="${key}" data-v="${shortHash(content.text)}" class="card">${content}</${tag}>`;
}

/** A moment, which the page also tells as how long it was ago. */
export function since(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" data-since="${at}" title="${iso}">${iso.slice(11, 19)}</time>`;
}

/** FNV-1a: only tells two versions of a part from each other. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
