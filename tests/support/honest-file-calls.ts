import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gone } from './file-attack.js';

/** What happens on an ordinary day: a call, and a piece of what its answer must say. */
export type HonestCall = readonly [
  title: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  says: RegExp,
];

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function layHonestProject(root: string): void {
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  put('README.md', '# Project\n\nSome words.\n');
  put('src/index.ts', "export { run } from './run.js';\n");
  put('src/run.ts', 'export function run() {\r\n  return 42;\r\n}\r\n');
  put('src/env.ts', 'export const environment = process.env;\n');
  put('.env.example', 'KEY=\n');
  put('.gitignore', 'node_modules/\ndist\n');
  put('.git/HEAD', 'ref: refs/heads/main\n');
  put('.github/CODEOWNERS', '* @me\n');
  put('node_modules/.pnpm/x/index.js', 'module.exports = 1;\n');
  put('dist/out.js', 'built\n');
  put('docs/a b/ünï cödé 😀.md', 'umlauts\n');
  put('docs/-rf', 'dash\n');
  put('docs/new\nline.txt', 'named badly\n');
  put('docs/%2e%2e.txt', 'percent\n');
  put('docs/...', 'three dots\n');
  put('docs/..hidden', 'two dots\n');
  put('docs/back\\slash', 'backslash\n');
  put('docs/monkey.txt', 'key in the middle of a name\n');
  put('empty.txt', '');
  put('windows.txt', Buffer.from([0x6e, 0x61, 0xef, 0x76, 0x65]));
  put('wide.txt', Buffer.from('\ufeffwide text\n', 'utf16le'));
  put('marked.txt', '\ufeffmarked\n');
  put('pixel.png', PIXEL);
  put('long.txt', Array.from({ length: 50_000 }, (_, line) => `line ${line + 1}\n`).join(''));
  put('run.sh', '#!/bin/sh\n');
  mkdirSync(join(root, 'packages/a'), { recursive: true });
  symlinkSync('../src', join(root, 'packages/src'));
  symlinkSync('README.md', join(root, 'link.md'));
  symlinkSync('nowhere', join(root, 'dangling'));
  symlinkSync(join(root, 'src/index.ts'), join(root, 'absolute-link'));
  linkSync(join(root, 'node_modules/.pnpm/x/index.js'), join(root, 'packages/a/index.js'));
  execFileSync('chmod', ['755', join(root, 'run.sh')]);
}

export const honestReads = (root: string): readonly HonestCall[] => [
  ['a file', 'read_file', { path: 'README.md' }, /# Project/],
  ['by an absolute path', 'read_file', { path: `${root}/README.md` }, /# Project/],
  ['by dots that stay inside', 'read_file', { path: 'src/../README.md' }, /# Project/],
  ['by dots and slashes', 'read_file', { path: './/src/./index.ts' }, /run/],
  ['through a link inside', 'read_file', { path: 'link.md' }, /# Project/],
  ['through a linked folder', 'read_file', { path: 'packages/src/index.ts' }, /run/],
  ['through an absolute link', 'read_file', { path: 'absolute-link' }, /run/],
  [
    'a file with two names, as package managers make them',
    'read_file',
    { path: 'packages/a/index.js' },
    /module/,
  ],
  ['an empty file', 'read_file', { path: 'empty.txt' }, /"text":""/],
  ['some lines', 'read_file', { path: 'long.txt', offset: 10, limit: 2 }, /line 11\\nline 12\\n"/],
  ['the last lines', 'read_file', { path: 'long.txt', offset: -2 }, /"line 49999\\nline 50000\\n"/],
  ['the beginning of a long file', 'read_file', { path: 'long.txt' }, /Read on with offset \d+/],
  ['UTF-16 with its mark', 'read_file', { path: 'wide.txt' }, /"wide text\\n"/],
  ['UTF-8 with a mark', 'read_file', { path: 'marked.txt' }, /"marked\\n"/],
  ['another encoding, named', 'read_file', { path: 'windows.txt', encoding: 'windows-1252' }, /naïve/],
  ['a picture', 'read_file', { path: 'pixel.png' }, /"mimeType":"image\/png"/],
  ['an example of secrets', 'read_file', { path: '.env.example' }, /KEY=/],
  ['a name like a secret', 'read_file', { path: 'src/env.ts' }, /environment/],
  ['a name with key in it', 'read_file', { path: 'docs/monkey.txt' }, /middle/],
  ['a dotfile', 'read_file', { path: '.gitignore' }, /dist/],
  ['a file of git', 'read_file', { path: '.git/HEAD' }, /refs/],
  ['spaces, umlauts and emoji', 'read_file', { path: 'docs/a b/ünï cödé 😀.md' }, /umlauts/],
  ['a name like an option', 'read_file', { path: 'docs/-rf' }, /dash/],
  ['a name with a line feed', 'read_file', { path: 'docs/new\nline.txt' }, /badly/],
  ['a name like encoded dots', 'read_file', { path: 'docs/%2e%2e.txt' }, /percent/],
  ['a name of three dots', 'read_file', { path: 'docs/...' }, /three/],
  ['a name that begins with two dots', 'read_file', { path: 'docs/..hidden' }, /two dots/],
  ['a name with a backslash', 'read_file', { path: 'docs/back\\slash' }, /backslash/],
  ['installed code', 'read_file', { path: 'node_modules/.pnpm/x/index.js' }, /module/],
  ['several at once', 'read_files', { paths: ['README.md', 'src/run.ts'] }, /42/],
  ['several, one missing', 'read_files', { paths: ['README.md', 'gone.txt'] }, /NotFoundError/],
  ['the workspace', 'list_directory', {}, /"name":"README.md"/],
  ['a folder', 'list_directory', { path: 'src' }, /"path":"src\/index.ts"/],
  ['an absolute folder', 'list_directory', { path: root }, /"path":"src"/],
  ['all of it', 'list_directory', { recursive: true }, /"path":"src\/run.ts"/],
  ['two levels', 'list_directory', { recursive: true, max_depth: 2 }, /packages\/src/],
  ['a page of it', 'list_directory', { recursive: true, limit: 3 }, /"next_cursor"/],
  ['a linked folder', 'list_directory', { path: 'packages/src' }, /packages\/src\/index.ts/],
  ['what is ignored, on request', 'list_directory', { recursive: true, ignore: false }, /dist\/out.js/],
  ['names', 'search_files', { pattern: '*.ts' }, /"src\/index.ts","src\/run.ts"/],
  ['names by path', 'search_files', { pattern: 'src/**/*.ts' }, /src\/run.ts/],
  ['dotfiles', 'search_files', { pattern: '.git*' }, /.gitignore/],
  ['names without some', 'search_files', { pattern: '*.ts', exclude: ['index.ts'] }, /src\/run.ts/],
  ['lines', 'search_content', { query: 'return \\d+' }, /"line":2,"column":3/],
  ['plain text', 'search_content', { query: "'./run.js'", literal: true }, /src\/index.ts/],
  ['lines around', 'search_content', { query: 'return 42', context: 1 }, /export function/],
  ['in one file', 'search_content', { path: 'src/run.ts', query: 'run' }, /"path":"src\/run.ts"/],
  ['only some files', 'search_content', { query: 'run', include: ['index.*'] }, /src\/index.ts/],
  ['wide text', 'search_content', { query: 'wide text' }, /wide.txt/],
  ['facts', 'file_info', { path: 'run.sh' }, /"mode":"0755"/],
  ['facts of a folder', 'file_info', { path: 'src' }, /"directory"/],
  ['facts of a link', 'file_info', { path: 'link.md' }, /"link_target":"README.md"/],
  ['facts of a link to nowhere', 'file_info', { path: 'dangling' }, /"symlink"/],
];

export const honestChanges: readonly HonestCall[] = [
  [
    'a new file',
    'write_file',
    { path: 'out/new.txt', content: 'hi', create_dirs: true },
    /Written to out\/new.txt/,
  ],
  ['a replaced file', 'write_file', { path: 'out/new.txt', content: 'there' }, /Written/],
  ['a line at the end', 'write_file', { path: 'out/new.txt', content: '!\n', mode: 'append' }, /Written/],
  ['a file that must be new', 'write_file', { path: 'out/first.txt', mode: 'create' }, /Written/],
  ['through a link inside', 'write_file', { path: 'link.md', content: '# Changed\n' }, /Written to link.md/],
  ['a file with two names', 'write_file', { path: 'packages/a/index.js', content: '2' }, /Written/],
  ['an example of secrets', 'write_file', { path: '.env.example', content: 'KEY=1\n' }, /Written/],
  ['owners of code', 'write_file', { path: '.github/CODEOWNERS', content: '* @you\n' }, /Written/],
  [
    'an edit across other line endings',
    'edit_file',
    { path: 'src/run.ts', edits: [{ old_text: '{\n  return 42', new_text: '{\n  return 43' }] },
    /\+ {2}return 43/,
  ],
  [
    'an edit of wide text',
    'edit_file',
    { path: 'wide.txt', edits: [{ old_text: 'wide', new_text: 'broad' }] },
    /\+.*broad/,
  ],
  [
    'an edit of other bytes',
    'edit_file',
    { path: 'windows.txt', edits: [{ old_text: 'na', new_text: 'NA' }] },
    /\+NA/,
  ],
  [
    'a preview',
    'edit_file',
    { path: 'README.md', edits: [{ old_text: '#', new_text: '##' }], dry_run: true },
    /dry run/,
  ],
  ['folders', 'create_directory', { path: 'out/a/b/c' }, /"created":3/],
  ['folders that are there', 'create_directory', { path: 'out/a' }, /"created":0/],
  ['a renamed file', 'move_path', { source: 'out/new.txt', destination: 'out/renamed.txt' }, /renamed/],
  ['a renamed folder', 'move_path', { source: 'out/a', destination: 'out/z' }, /"directories":1/],
  [
    'a file over another',
    'move_path',
    { source: 'out/first.txt', destination: 'out/renamed.txt', overwrite: true },
    /renamed/,
  ],
  ['a copied file', 'copy_path', { source: 'README.md', destination: 'out/README.md' }, /"files":1/],
  ['a copied folder', 'copy_path', { source: 'src', destination: 'out/src' }, /"files":3/],
  ['a deleted file', 'delete_path', { path: 'out/renamed.txt', ...gone }, /"files":1/],
  ['a deleted link, whose target stays', 'delete_path', { path: 'absolute-link', ...gone }, /"files":1/],
  ['a deleted folder', 'delete_path', { path: 'out', recursive: true, ...gone }, /"directories":/],
];
