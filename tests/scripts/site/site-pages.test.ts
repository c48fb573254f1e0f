import { resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { llmsIndex, llmsText } from '../../../scripts/site/llms.js';
import { sidebarOf } from '../../../scripts/site/sidebar.js';
import { sitePages, withSiteLinks } from '../../../scripts/site/site-pages.js';

const pages = sitePages(resolve(import.meta.dirname, '../../..'));
const known = new Map([
  ['docs/how-to/git.md', 'how-to/git.md'],
  ['README.md', 'project/README.md'],
]);

describe('the pages of the site', () => {
  const links: readonly (readonly [string, string])[] = [
    ['[git](git.md#worktrees)', '[git](./git.md#worktrees)'],
    ['[start](../../README.md)', '[start](../project/README.md)'],
    ['![picture](../pictures/a.svg)', '![picture](../pictures/a.svg)'],
    ['[code](../../src/domain/result.ts)', 'code'],
    ['[file](../nginx.conf)', '<a href="/nginx.conf" target="_self">file</a>'],
    ['[elsewhere](https://example.com)', '[elsewhere](https://example.com)'],
    ['```md\n[git](git.md)\n```', '```md\n[git](git.md)\n```'],
  ];
  for (const [written, expected] of links)
    it(`have ${expected.replaceAll('\n', ' ')} for ${written.replaceAll('\n', ' ')}`, () =>
      expect(withSiteLinks(written, 'docs/how-to/deploy.md', known)).to.equal(expected));

  it('are every document and the files beside them, with the start page first in line', () => {
    const paths = pages.map(({ path }) => path);
    expect(paths).to.include.members(['index.md', 'how-to/git.md', 'adr/index.md', 'project/CHANGELOG.md']);
    expect(new Set(paths).size).to.equal(paths.length);
  });

  it('are all in the side bar but the start page and single decisions', () => {
    const links = sidebarOf(pages).flatMap(({ items = [] }) => items.map(({ link }) => link));
    const missing = pages.filter(
      ({ path }) =>
        !/^(?:index\.md|adr\/\d)/.test(path) && !links.includes(`/${path.replace(/(?:index)?\.md$/, '')}`),
    );
    expect(missing.map(({ path }) => path)).to.deep.equal([]);
  });

  it('are listed for models, and the guides are one text', () => {
    expect(llmsIndex(pages))
      .to.match(/^# Castellan\n\n> /)
      .and.include('](/how-to/git.html)');
    expect(llmsText(pages)).to.include('# Use git').and.not.include('# Honest git');
  });
});
