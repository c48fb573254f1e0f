import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export interface SitePage {
  /** Below the site, such as `how-to/git.md`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** Pages outside docs/ that the documents link to, with their path in the site. */
const OTHERS: Readonly<Record<string, string>> = {
  'README.md': 'project/README.md',
  'CHANGELOG.md': 'project/CHANGELOG.md',
  'CONTRIBUTING.md': 'project/CONTRIBUTING.md',
  'SECURITY.md': 'project/SECURITY.md',
  'CODE_OF_CONDUCT.md': 'project/CODE_OF_CONDUCT.md',
  'MCP_TOOL_SPECIFICATION.md': 'project/MCP_TOOL_SPECIFICATION.md',
  'bench/performance.md': 'project/performance.md',
  'config/prompts/README.md': 'project/prompts.md',
};

/** All pages of the site, with links that are right there. */
export function sitePages(root: string): readonly SitePage[] {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('template'))
    .map((name) => join('docs', name));
  const sources = [...documents, ...Object.keys(OTHERS).filter((name) => existsSync(join(root, name)))];
  const known = new Map(sources.map((source) => [source, pathInSite(source)]));
  return sources.sort().map((source) => {
    const text = readFileSync(join(root, source), 'utf8');
    const title = /^# (.*)$/m.exec(text)?.[1] ?? source;
    return { path: pathInSite(source), title, text: withSiteLinks(text, source, known) };
  });
}

function pathInSite(source: string): string {
  const other = OTHERS[source];
  if (other !== undefined) return other;
  return source.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
}

/** A link to a page becomes one within the site; one to a file that the site does not have becomes its name. */
export function withSiteLinks(text: string, source: string, known: ReadonlyMap<string, string>): string {
  const here = dirname(pathInSite(source));
  return outsideBlocks(text, (part) =>
    part
      .replaceAll('](,', '\\](,')
      .replaceAll(
        /(!?)\[([^\]]*)\]\((?!https?:|mailto:|vscode:|cursor:|#|,)([^)#\s]+)(#[^)\s]*)?\)/g,
        (link, picture: string, label: string, path: string, anchor = '') => {
          const target = posix.normalize(posix.join(dirname(source), path));
          const page = known.get(target);
          if (page !== undefined) return `[${label}](${relativePath(here, page)}${anchor})`;
          if (picture !== '') return `![${label}](${relativePath(here, target.replace(/^docs\//, ''))})`;
          if (target.startsWith('docs/') && /\.(?:json|yaml|conf)$/.test(target))
            return `<a href="/${target.slice('docs/'.length)}" target="_self">${label}</a>`;
          return label === '' ? link : label;
        },
      ),
  );
}

/** Blocks of code stay as they are; a label may hold code. */
function outsideBlocks(text: string, change: (part: string) => string): string {
  return text
    .split(/(```[\s\S]*?```)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

function relativePath(from: string, to: string): string {
  const path = posix.relative(from, to);
  return path.startsWith('.') ? path : `./${path}`;
}
