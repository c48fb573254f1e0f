import { MAX_DEPTH, MAX_VALUES } from '../../src/presentation/mcp/surface/message-bounds.js';

const LONG = 3_500_000;
/** Beginning of every message here, by which one is known again. */
export const OVERSIZED = '{"jsonrpc":"2.0","id":5,';

const call = (name: string, args: string): string =>
  `${OVERSIZED}"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"k${n.toString(36)}":1`).join(',')}}`;
const list = (count: number, entry = '"a"'): string =>
  `[${Array.from({ length: count }, () => entry).join(',')}]`;
const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Refused before they are parsed. */
export const OVER: Readonly<Record<string, string>> = {
  'unknown keys': call('echo', keys(300_000)),
  'entries of a list': call('read_files', `{"paths":${list(600_000)}}`),
  'empty objects': call('echo', `{"message":${list(700_000, '{}')}}`),
  'lists in lists': call('echo', `{"message":${nest(1_000_000)}}`),
  'objects in objects': call('echo', `${'{"a":'.repeat(400_000)}1${'}'.repeat(400_000)}`),
  'a little too deep': call('echo', `{"message":${nest(MAX_DEPTH)}}`),
  'many outside of the arguments': `${OVERSIZED}"method":"ping","params":{"_meta":${keys(300_000)}}}`,
  'a batch': list(400_000, '{}'),
};

/** Within the bounds, and as large as that goes. */
export const UNDER: Readonly<Record<string, string>> = {
  'unknown keys': call('echo', keys(MAX_VALUES - 10)),
  'long unknown keys': call('echo', keys(MAX_VALUES - 10).replaceAll('"k', `"${'k'.repeat(150)}`)),
  'entries of a list': call('read_files', `{"paths":${list(MAX_VALUES - 10)}}`),
  'one long text': call('echo', JSON.stringify({ message: 'x'.repeat(LONG) })),
  'one long key': call('echo', JSON.stringify({ ['k'.repeat(LONG)]: 1 })),
  'escaped characters': call('echo', `{"message":"${'\\u00e9'.repeat(LONG / 6)}"}`),
  'characters of four bytes': call('echo', `{"message":"${'😀'.repeat(LONG / 4)}"}`),
};

/** Texts that are read by the shell's grammar, by the policy or by a tool. */
export const TEXTS: Readonly<Record<string, string>> = {
  'braces that multiply': call('execute_command', JSON.stringify({ command: `echo ${'{a,b}'.repeat(18)}` })),
  'braces in braces': call(
    'execute_command',
    JSON.stringify({ command: `echo ${'{a,'.repeat(300)}b${'}'.repeat(300)}` }),
  ),
  'many words with braces': call(
    'execute_command',
    JSON.stringify({ command: `echo ${'{a,b}{c,d}{e,f} '.repeat(1_000)}` }),
  ),
  'open braces': call('execute_command', JSON.stringify({ command: `echo ${'{'.repeat(16_000)}` })),
  substitutions: call(
    'execute_command',
    JSON.stringify({ command: `echo ${'$(echo '.repeat(1_000)}${')'.repeat(1_000)}` }),
  ),
  'short commands': call(
    'execute_command',
    JSON.stringify({ command: `${'a=1;'.repeat(3_900)}for i in 1; do :; done` }),
  ),
  'arithmetic to explain': call(
    'explain_permission',
    JSON.stringify({ tool: 'execute_command', arguments: { command: '$(('.repeat(300_000) } }),
  ),
  'a long path': call('read_file', JSON.stringify({ path: 'a/'.repeat(1_000_000) })),
  'a path of dots': call('read_file', JSON.stringify({ path: '../'.repeat(700_000) })),
  'a pattern of stars': call('search_files', JSON.stringify({ pattern: '*a'.repeat(100_000) })),
  'a pattern of braces': call('search_files', JSON.stringify({ pattern: '{a,b}'.repeat(100_000) })),
  'a long expression': call('search_content', JSON.stringify({ query: '(a|b)*'.repeat(100_000) })),
  'a file to write': call(
    'write_file',
    JSON.stringify({ path: 'new.txt', content: 'ü\n'.repeat(1_000_000) }),
  ),
};
