import type { SitePage } from './site-pages.js';

interface Entry {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Entry[];
}

const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['Tutorials', /^tutorial\//],
  ['How-to guides', /^(?:how-to\/|policies\/)/],
  ['Explanation', /^(?:explanation\/|adr\/index)/],
  ['Reference', /^reference\/(?:[^/]+$|tools\/)/],
  ['Clients', /^reference\/clients\//],
  ['Project', /^(?:project|contributing)\//],
];

/** Every page but the start page and single decisions, by directory and in the order of the titles. */
export function sidebarOf(pages: readonly SitePage[]): readonly Entry[] {
  return GROUPS.map(([text, pattern]) => ({
    text,
    items: pages
      .filter(({ path }) => pattern.test(path))
      .map(({ path, title }) => ({ text: title, link: `/${path.replace(/(?:index)?\.md$/, '')}` }))
      .sort((one, other) => one.text.localeCompare(other.text, 'en')),
  }));
}
