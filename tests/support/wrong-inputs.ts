import { mkdirSync } from 'node:fs';
import type { CliWorkspace } from './cli-workspace.js';

/** A line that somebody could type by mistake, what it must say, and how it must end. */
export interface WrongInput {
  readonly args: readonly string[];
  readonly code: number;
  readonly says: RegExp;
  readonly env?: NodeJS.ProcessEnv;
  /** Makes the situation. */
  readonly prepare?: (project: CliWorkspace) => void;
}

const YAML = (name: string, text: string) => (project: CliWorkspace) => void project.write(name, text);

const TYPOS: readonly WrongInput[] = [
  { args: ['tool'], code: 2, says: /unknown command 'tool'\. Did you mean tools\?/ },
  { args: ['srve'], code: 2, says: /Did you mean serve\?/ },
  { args: ['zzzzzz'], code: 2, says: /unknown command 'zzzzzz'\. The commands: serve, / },
  {
    args: ['policy', 'chek'],
    code: 2,
    says: /unknown command 'chek'\. Did you mean check\? The commands of policy: check, explain\.\n/,
  },
  {
    args: ['policy', 'test'],
    code: 2,
    says: /unknown command 'test'\. The commands of policy: check, explain\.\n/,
  },
  { args: ['token', 'zzz'], code: 2, says: /The commands of token: rotate\.\n/ },
  { args: ['audit', 'verfy'], code: 2, says: /Did you mean verify\?/ },
  { args: ['help', 'plicy'], code: 2, says: /unknown command 'plicy'\. Did you mean policy\?/ },
  { args: ['help', 'policy', 'expain'], code: 2, says: /Did you mean explain\?/ },
  { args: ['--jsn'], code: 2, says: /unknown option '--jsn'/ },
  { args: ['tools', '--jsn'], code: 2, says: /unknown option '--jsn'. Did you mean --json\?/ },
  { args: ['doctor', '--jason'], code: 2, says: /unknown option '--jason'. Did you mean --json\?/ },
  { args: ['init', '--profile', 'all'], code: 2, says: /Allowed choices are readonly, workspace/ },
  { args: ['init', '--profile'], code: 2, says: /argument missing/ },
  { args: ['completion', 'cmd'], code: 2, says: /Allowed choices are bash, zsh, fish/ },
  { args: ['completion'], code: 2, says: /missing required argument 'shell'/ },
  { args: ['call'], code: 2, says: /missing required argument 'tool'/ },
  { args: ['policy', 'explain'], code: 2, says: /missing required argument 'tool'/ },
  { args: ['tools', 'more'], code: 2, says: /too many arguments/ },
  { args: ['doctor', 'a', 'b'], code: 2, says: /too many arguments/ },
  { args: ['--workspace'], code: 2, says: /argument missing/ },
];

const CALLS: readonly WrongInput[] = [
  {
    args: ['call', 'ecoh'],
    code: 1,
    says: /Unknown tool: ecoh\. Did you mean echo\? The tools here: .*read_file/,
  },
  { args: ['call', 'echo', '{"message":'], code: 2, says: /must be a JSON object.*got \{"message":/ },
  { args: ['call', 'echo', '[1]'], code: 2, says: /must be a JSON object/ },
  { args: ['call', 'echo', 'hello'], code: 2, says: /must be a JSON object/ },
  { args: ['call', 'echo', '{"mesage":"x"}'], code: 1, says: /mesage.*message/s },
  { args: ['call', 'read_file', '{}'], code: 1, says: /path is required/ },
  { args: ['call', 'read_file', '{"path":7}'], code: 1, says: /path/ },
  { args: ['call', 'read_file', '{"path":"gone.txt"}'], code: 1, says: /gone\.txt/ },
  {
    args: ['call', 'read_file', '{"path":"/etc/shadow"}'],
    code: 1,
    says: /refuses.*castellan policy explain/s,
  },
  { args: ['call', 'write_file', '{"path":"a","content":"x"}'], code: 1, says: /NO_ALLOW/ },
  { args: ['policy', 'explain', 'echo', '{'], code: 2, says: /must be a JSON object/ },
  { args: ['tools', '--category', 'fils'], code: 2, says: /There are: .*file/ },
  {
    args: ['docs', '--tools', 'gone.mjs'],
    code: 3,
    says: /^--tools gone\.mjs cannot be loaded: Cannot find module .*\n$/,
  },
  { args: ['docs', '--check'], code: 1, says: /MCP_TOOL_SPECIFICATION\.md is missing/ },
];

const FILES: readonly WrongInput[] = [
  { args: ['tools', '--workspace', 'gone'], code: 3, says: /gone does not exist/ },
  { args: ['tools', '--workspace', '/proc'], code: 3, says: /file system of the kernel/ },
  {
    args: ['tools', '--workspace', 'f.txt'],
    prepare: YAML('f.txt', 'x'),
    code: 3,
    says: /f\.txt is not a folder/,
  },
  { args: ['tools', '--policy', 'gone.yaml'], code: 3, says: /gone\.yaml:1:1: There is no such file/ },
  { args: ['tools', '--config', 'gone.yaml'], code: 3, says: /gone\.yaml:1:1: There is no such file/ },
  { args: ['tools', '--ceiling', 'gone.yaml'], code: 3, says: /gone\.yaml:1:1: There is no such file/ },
  { args: ['policy', 'check', 'gone.yaml'], code: 3, says: /gone\.yaml:1:1: There is no such file/ },
  {
    args: ['policy', 'check', 'dir.yaml'],
    prepare: (project) => mkdirSync(project.path('dir.yaml')),
    code: 3,
    says: /dir\.yaml:1:1: .*folder/,
  },
  { args: ['trust'], code: 1, says: /no policy or settings file here.*castellan init/ },
  { args: ['trust', 'gone.yaml'], code: 3, says: /gone\.yaml cannot be trusted: there is no such file\./ },
  { args: ['audit', 'verify'], code: 1, says: /nothing was recorded yet/ },
  { args: ['audit', 'tail', '-n', 'many'], code: 2, says: /--count must be a whole number/ },
  { args: ['audit', 'tail', '-n', '0'], code: 2, says: /--count must be a whole number/ },
];

const bad = (text: string, says: RegExp, code = 3): WrongInput => ({
  args: ['policy', 'check', 'bad.yaml'],
  prepare: YAML('bad.yaml', text),
  code,
  says,
});

const CONTENTS: readonly WrongInput[] = [
  bad('tools: [', /bad\.yaml:1:\d+: /),
  bad(
    'tools:\n\tread_file: {}\n',
    /bad\.yaml:2:1: Not valid YAML: Tabs are not allowed as indentation\. Put spaces/,
  ),
  bad(
    'tools:\n  read_file: { allowed_paths: [*.md] }\n',
    /bad\.yaml:2:32: \*\.md is an alias of YAML, and nothing is called &\.md\. .*quotes: "\*\.md"\.\n\n1 problem/,
  ),
  bad(
    'tools: {}\n---\ntools: {}\n',
    /bad\.yaml:2:1: The file holds more than one document\. Remove the `---`/,
  ),
  bad(`${'word '.repeat(1000)}\n`, /bad\.yaml:1:1: Expected a policy: a map, got "[^"]{81}"\.\n/),
  bad('tols: {}\n', /Unknown key "tols"\. Did you mean tools\?/),
  bad('tools: {}\ntools: {}\n', /bad\.yaml:2:1: /),
  bad('tools: { raed_file: {} }\n', /No tool is called raed_file\. Did you mean read_file\?/, 1),
  bad('extends: other.yaml\n', /bad\.yaml:1:10: .*other\.yaml/),
  bad('tools: { read_file: { timeout: soon } }\n', /timeout|soon/),
  bad('\0\0', /bad\.yaml:1:1: /),
  bad('- a\n- b\n', /bad\.yaml:1:1: /),
  {
    args: ['tools', '--config', 'bad.yaml'],
    prepare: YAML('bad.yaml', 'answers: loud\n'),
    code: 3,
    says: /bad\.yaml:1:10: .*text.*envelope/,
  },
  {
    args: ['tools', '--config', 'bad.yaml'],
    prepare: YAML('bad.yaml', 'http: { port: 99999 }\n'),
    code: 3,
    says: /bad\.yaml:1:15: /,
  },
];

const ENVIRONMENT: readonly WrongInput[] = [
  {
    args: ['tools'],
    env: { CASTELLAN_LOG_LEVEL: 'loud' },
    code: 3,
    says: /CASTELLAN_LOG_LEVEL must be one of trace/,
  },
  {
    args: ['tools'],
    env: { CASTELLAN_LOG_FORMAT: 'xml' },
    code: 3,
    says: /CASTELLAN_LOG_FORMAT must be text or json/,
  },
  { args: ['tools'], env: { CASTELLAN_HTTP_PORT: 'x' }, code: 3, says: /CASTELLAN_HTTP_PORT must be a port/ },
  {
    args: ['tools'],
    env: { CASTELLAN_REDIS_URL: 'here' },
    code: 3,
    says: /CASTELLAN_REDIS_URL must be an address/,
  },
  { args: ['tools'], env: { MCP_TOOL_PREFIX: 'a b' }, code: 3, says: /MCP_TOOL_PREFIX|prefix/ },
  { args: ['tools'], env: { CASTELLAN_TOOLSETS: 'fils' }, code: 3, says: /CASTELLAN_TOOLSETS must be all/ },
  { args: ['tools', '--toolsets', 'fils'], code: 2, says: /'--toolsets <sets>' argument 'fils'.*files/ },
  { args: ['tools', '--tokens', '--category', 'fils'], code: 2, says: /There are: .*file/ },
  {
    args: ['install', 'cursor', '--name', 'a/b'],
    code: 2,
    says: /'--name <server>' argument 'a\/b'.*letters/,
  },
  { args: ['uninstall', 'cursor', '--name', ''], code: 2, says: /'--name <server>' argument ''.*letters/ },
  { args: ['install', 'windsurf', '--scope', 'project'], code: 2, says: /Use --scope user/ },
  { args: ['serve', '--port', '8080'], code: 2, says: /--host and --port need --http/ },
  { args: ['trust', '--list', '--revoke'], code: 2, says: /'--list' cannot be used with option '--revoke'/ },
  { args: ['serve', '--http', '--port', '99999'], code: 2, says: /'99999' is invalid.*from 0 to 65535/ },
  {
    args: ['serve', '--http', '--port', 'abc'],
    code: 2,
    says: /'--port <number>' argument 'abc' is invalid/,
  },
  {
    args: ['serve', '--http', '--host', '192.0.2.1', '--port', '0'],
    code: 3,
    says: /nothing encrypts what they send: set http\.tls/,
  },
  { args: ['init'], env: { XDG_STATE_HOME: '/proc' }, code: 3, says: /XDG_STATE_HOME/ },
];

const THERE_ALREADY: WrongInput = {
  args: ['init'],
  prepare: YAML('permissions.yaml', 'tools: {}\n'),
  code: 1,
  says: /there already.*--force/s,
};

/** Each is tried in a project of its own. */
export const WRONG_INPUTS: readonly WrongInput[] = [
  ...TYPOS,
  ...CALLS,
  ...FILES,
  ...CONTENTS,
  ...ENVIRONMENT,
  THERE_ALREADY,
];
