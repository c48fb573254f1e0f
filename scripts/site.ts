/** Builds the documents into static pages below site/dist: `npm run site`. Needs `npm ci --prefix site` once. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { llmsIndex, llmsText } from './site/llms.js';
import { sidebarOf } from './site/sidebar.js';
import { sitePages } from './site/site-pages.js';

const root = resolve(import.meta.dirname, '..');
const site = join(root, 'site');
const staged = join(site, 'pages');
const built = join(site, 'dist');

rmSync(staged, { recursive: true, force: true });
rmSync(built, { recursive: true, force: true });
const pages = sitePages(root);
for (const { path, text } of pages) put(path, text);
for (const name of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }))
  if (/\.(?:svg|json|yaml|conf)$/.test(name)) copy(name);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
put('site.json', JSON.stringify({ version, sidebar: sidebarOf(pages) }));
put('public/llms.txt', llmsIndex(pages));
put('public/llms-full.txt', llmsText(pages));
const { status } = spawnSync('npx', ['--no-install', 'vitepress', 'build', '.'], {
  cwd: site,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

function put(path: string, text: string): void {
  const file = join(staged, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(name: string): void {
  // Pictures are looked up beside the page that shows them; other files are served as they are.
  const folder = name.endsWith('.svg') ? staged : join(staged, 'public');
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  cpSync(join(root, 'docs', name), join(folder, name));
}
