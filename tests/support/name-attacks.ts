import { attacks, type FileAttack, gone } from './file-attack.js';

const ESCAPE = '\u001b[2J\u001b]0;owned\u0007';
const edit = [{ old_text: 'a', new_text: 'b' }];
const LONG = 'n'.repeat(5000);
const deep = (levels: number) => Array.from({ length: levels }, () => 'd').join('/');

/** Names that are too long, too deep, or that speak to a terminal or a log. */
export const nameAttacks: readonly FileAttack[] = [
  ...attacks('long and deep names', 'either', [
    ['a name of 5,000 bytes', 'read_file', { path: LONG }],
    ['a name of 256 bytes', 'read_file', { path: 'n'.repeat(256) }],
    ['a name too long in bytes, not in characters', 'read_file', { path: '😀'.repeat(100) }],
    ['a path of 10,000 bytes', 'read_file', { path: deep(5000) }],
    ['a path of a megabyte', 'file_info', { path: deep(500_000) }],
    ['a megabyte of dots', 'list_directory', { path: '../'.repeat(350_000) }],
    ['a long name to write', 'write_file', { path: LONG, content: 'x' }],
    ['a folder too deep', 'create_directory', { path: deep(3000) }],
    ['a long destination', 'move_path', { source: 'plain.txt', destination: LONG }],
    ['a long source', 'copy_path', { source: LONG, destination: 'x' }],
    ['a long name to delete', 'delete_path', { path: LONG, ...gone }],
    ['a long name to edit', 'edit_file', { path: LONG, edits: edit }],
    ['fifty long names', 'read_files', { paths: Array.from({ length: 50 }, () => LONG) }],
  ]),
  ...attacks('long and deep names', undefined, [
    ['a pattern of 100,000 stars', 'search_files', { pattern: '*a'.repeat(50_000) }],
    ['a pattern made to take long', 'search_files', { pattern: `${'*a'.repeat(200)}*b` }, 'bounded'],
    ['an expression made to take long', 'search_content', { query: '(a+)+$|(a|aa)+b' }, 'bounded'],
    ['an expression of huge repeats', 'search_content', { query: '(((x{900}){900}){900})' }, 'bounded'],
    ['braces within braces', 'search_files', { pattern: '{a,b}'.repeat(60) }, 'bounded'],
  ]),
  ...attacks('newline and ANSI names', undefined, [
    ['an escape code in a missing name', 'read_file', { path: `no${ESCAPE}` }],
    ['a line feed in a missing name', 'read_file', { path: 'no\n{"jsonrpc":"2.0"}' }],
    ['a carriage return', 'list_directory', { path: 'no\rthing' }],
    ['a bell and a backspace', 'file_info', { path: 'no\u0007\b' }],
    ['a line separator', 'read_file', { path: 'no\u2028thing' }],
    ['an escape code in a source', 'move_path', { source: `no${ESCAPE}`, destination: 'x' }],
    ['an escape code in one of many', 'read_files', { paths: [`no${ESCAPE}`] }, 'hidden'],
    ['a line feed in a name to delete', 'delete_path', { path: 'no\nthing', ...gone }],
    ['an escape code in a name to edit', 'edit_file', { path: `no${ESCAPE}`, edits: edit }],
    ['an escape code in a query', 'search_content', { query: `[${ESCAPE}` }, 'hidden'],
    ['an escape code in a pattern', 'search_files', { pattern: `*${ESCAPE}` }, 'hidden'],
    ['a line feed before dots', 'read_file', { path: '\n/../../outside/secret.txt' }],
  ]),
];
