import type { SitePage } from './site-pages.js';

interface Entry {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly Entry[];
}

const GROUPS: readonly (readonly [string, RegExp, boolean])[] = [
  ['Tutorials', /^tutorial\//, false],
  ['How-to guides', /^how-to\//, false],
  ['Reference', /^reference\/[^/]+$/, true],
  ['Tools', /^reference\/tools\//, true],
  ['Clients', /^reference\/clients\//, true],
  ['Explanation', /^explanation\//, false],
  ['Policies to copy', /^policies\//, true],
  ['Decisions', /^adr\//, true],
  ['Project', /^(?:project|contributing)\//, true],
];

/** Every page but the start page, by directory and in the order of the titles. */
export function sidebarOf(pages: readonly SitePage[]): readonly Entry[] {
  return GROUPS.map(([text, pattern, collapsed]) => ({
    text,
    collapsed,
    items: pages
      .filter(({ path }) => pattern.test(path))
      .map(({ path, title }) => ({ text: title, link: `/${path.replace(/(?:index)?\.md$/, '')}` })),
  }));
}
