import type { HookClient } from '../../src/domain/client/mcp-client.js';
import type { PlannedCall } from './scripted-model.js';

/** A call of a client's own tool, what it is the same as, and what has to become of it. */
export interface OwnCallCase {
  readonly call: PlannedCall;
  /** The tool of ours that has to come to the same, in a project like this one. */
  readonly same: readonly [tool: string, args: object];
  readonly expected: 'allowed' | 'refused';
}

/** How a client names its tools for reading, writing, editing and commands; undefined: it has none. */
interface OwnTools {
  readonly read?: (path: string) => PlannedCall;
  readonly write: (path: string, content: string) => PlannedCall;
  readonly edit?: (path: string, from: string, to: string) => PlannedCall;
  readonly run: (command: string) => PlannedCall;
}

const own = (tool: string, args: object, input?: string): PlannedCall => ({
  tool,
  own: true,
  args,
  ...(input !== undefined && { input }),
});

export type HookedClient = Exclude<HookClient, 'cursor'>;

/** Claude Code wants whole paths. */
const TOOLS: Readonly<Record<HookedClient, (project: string) => OwnTools>> = {
  claude: (project) => ({
    read: (path) => own('Read', { file_path: `${project}/${path}` }),
    write: (path, content) => own('Write', { file_path: `${project}/${path}`, content }),
    edit: (path, from, to) =>
      own('Edit', { file_path: `${project}/${path}`, old_string: from, new_string: to }),
    run: (command) => own('Bash', { command, description: 'Try it' }),
  }),
  gemini: () => ({
    read: (path) => own('read_file', { file_path: path }),
    write: (path, content) => own('write_file', { file_path: path, content }),
    edit: (path, from, to) =>
      own('replace', { file_path: path, old_string: from, new_string: to, instruction: 'Change it' }),
    run: (command) => own('run_shell_command', { command, description: 'Try it' }),
  }),
  codex: () => ({
    write: (path, content) => own('exec_command', { cmd: `printf %s ${JSON.stringify(content)} > ${path}` }),
    run: (command) => own('exec_command', { cmd: command }),
  }),
  copilot: (project) => ({
    read: (path) => own('view', { path: `${project}/${path}` }),
    write: (path, content) => own('create', { path: `${project}/${path}`, file_text: content }),
    edit: (path, from, to) => own('edit', { path: `${project}/${path}`, old_str: from, new_str: to }),
    run: (command) => own('bash', { command, description: 'Try it' }),
  }),
  opencode: (project) => ({
    read: (path) => own('read', { filePath: `${project}/${path}` }),
    write: (path, content) => own('write', { filePath: `${project}/${path}`, content }),
    edit: (path, from, to) => own('edit', { filePath: `${project}/${path}`, oldString: from, newString: to }),
    run: (command) => own('bash', { command, description: 'Try it' }),
  }),
};

/** The files that the calls are about, besides .git. */
export const FILES: Readonly<Record<string, string>> = {
  'hello.txt': 'Read by a real client.\n',
  'src/a.js': 'export const a = 1;\n',
  'src/b.js': 'export const b = 2;\n',
  '.env': 'TOKEN=made-up-secret\n',
  'conf/.env.production': 'TOKEN=made-up-secret\n',
  'keys/id_rsa': 'made-up-secret\n',
  '.vscode/tasks.json': '{}\n',
  '.github/workflows/ci.yml': 'on: push\n',
};

/** A link that looks harmless. */
export const LINK = { name: 'notes.txt', to: '.env' } as const;

export const POLICY = `extends: [builtin:workspace]
tools:
  execute_command:
    denied_commands: [{ command: [git, push] }]
`;

/** Thirty calls, more than half of them honest. */
export function ownCalls(client: HookedClient, project: string): readonly OwnCallCase[] {
  const { read, write, edit, run } = TOOLS[client](project);
  const runs = (command: string, expected: OwnCallCase['expected']): OwnCallCase => ({
    call: run(command),
    same: ['execute_command', { command }],
    expected,
  });
  const reads = (path: string, expected: OwnCallCase['expected']): OwnCallCase =>
    read === undefined
      ? runs(`cat ${path}`, path === LINK.name ? 'allowed' : expected)
      : { call: read(path), same: ['read_file', { path }], expected };
  const writes = (path: string, content: string, expected: OwnCallCase['expected']): OwnCallCase =>
    client === 'codex'
      ? runs(`printf %s ${JSON.stringify(content)} > ${path}`, expected)
      : { call: write(path, content), same: ['write_file', { path, content, create_dirs: true }], expected };
  const edits = (path: string, from: string, to: string): OwnCallCase =>
    edit === undefined
      ? runs(`sed -i s/${from}/${to}/ ${path}`, 'allowed')
      : {
          call: edit(path, from, to),
          same: ['edit_file', { path, edits: [{ old_text: from, new_text: to }] }],
          expected: 'allowed',
        };
  return [
    reads('hello.txt', 'allowed'),
    reads('src/a.js', 'allowed'),
    reads('src/b.js', 'allowed'),
    reads('conf/.env.production', 'refused'),
    reads('keys/id_rsa', 'refused'),
    reads(LINK.name, 'refused'),
    writes('one.txt', 'one', 'allowed'),
    writes('two.txt', 'two', 'allowed'),
    writes('.vscode/tasks.json', '{ }', 'refused'),
    writes('.github/workflows/ci.yml', 'on: pull_request', 'refused'),
    writes('.git/hooks/pre-commit', 'echo', 'refused'),
    edits('src/a.js', '1', '3'),
    edits('src/b.js', '2', '4'),
    runs('ls -la', 'allowed'),
    runs('cat src/a.js', 'allowed'),
    runs('git status --short', 'allowed'),
    runs('git log --oneline | head -3', 'allowed'),
    runs('wc -l src/a.js && echo counted', 'allowed'),
    runs('grep -n export src/a.js', 'allowed'),
    runs('node -e "console.log(6 * 7)"', 'allowed'),
    runs('mkdir -p out && cp src/a.js out/', 'allowed'),
    runs('git push', 'refused'),
    runs('git push origin main', 'refused'),
    runs('git status && git push --force', 'refused'),
    runs('env git push', 'refused'),
    runs('sh -c "git push"', 'refused'),
    runs('cat .env', 'refused'),
    runs('head -1 conf/.env.production', 'refused'),
    runs('echo x > .git/hooks/post-commit', 'refused'),
    runs('cp .env copy.txt', 'refused'),
  ];
}
