// How a tool is written: ../README.md
import * as Type from 'typebox';
import { COMMAND_TIMEOUT_MS } from '../../../application/command/command-limits.js';
import { ExecuteCommandLineHandler } from '../../../application/command/execute-command-line.js';
import { allOf, runsCommand, writes } from '../../../application/permission/argument-requests.js';
import { showCommand } from '../../answers/command-text.js';
import { commandTerms } from '../../docs/command-terms.js';
import { defineTool } from '../define-tool.js';
import { mapOf, toolArguments } from '../tool-arguments.js';
import { MAX_WAIT_S } from './process-fields.js';

const MAX_TIMEOUT_S = 3_600;

export const executeCommandTool = defineTool({
  name: 'execute_command',
  version: '1.4.0',
  category: 'system',
  sessionBound: true,
  tags: ['shell'],
  summary: 'Run a shell command in the workspace.',
  description:
    'Runs programs in the workspace: build, test, search, git, package managers. With shell: full in the policy, a command line is any bash. With shell: static it may have pipes, && || ; &, groups, cd DIR &&, redirections to named files, quoted here-documents and globs; variables, $(…), functions and control flow are refused then, with what to write instead. An exit code other than 0 is a normal answer. Every call starts in the workspace with a fresh shell; /tmp lasts for the session. Where the policy has background, a command that still runs after "wait" runs on: read it with process_output. There is no terminal, and where there is a sandbox no network unless the policy gives one.',
  usage:
    'Give a command line in "command"; or one program in "command" and its exact arguments in "args", where no character is special.',
  concise: {
    text: 'Run a shell command in the workspace: build, test, git. Every call is a new shell; /tmp persists. A non-zero exit code is a normal result.',
    arguments: {
      command: 'A command line; with args, one program',
      args: 'Exact arguments, nothing is special',
      'args[]': '',
      'env.*': '',
      cwd: 'Folder to start in',
      stdin: 'Fed to the program, then closed',
      timeout: 'Seconds until it is ended',
      env: 'Variables by name',
      wait: 'Seconds until the answer; it then runs on',
      background: 'true: answer at once, run on',
      run_in_background: 'Another name for background',
      description: 'Ignored: for clients that send one',
      save_output: 'File for the whole output',
    },
  },
  underPolicy: commandTerms,
  examples: [
    { title: 'A pipeline', arguments: { command: 'ls -la | grep src' } },
    { title: 'Exact arguments', arguments: { command: 'grep', args: ['-rn', 'export function', 'src'] } },
    { title: 'In a folder, for at most five seconds', arguments: { command: 'ls', cwd: 'src', timeout: 5 } },
  ],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  errors: [
    {
      type: 'PermissionDeniedError',
      when: 'the policy does not allow a program, an option, a file or the syntax',
    },
    { type: 'ToolUnavailableError', when: 'the policy asks for a sandbox and the machine has none' },
    { type: 'ToolTimeoutError', when: 'the command took too long; it is ended with everything it started' },
    { type: 'LimitExceededError', when: 'the command used more memory than the policy allows' },
  ],
  security:
    'Runs programs. With `shell: full` in the policy a line is any text of bash and the sandbox contains it; otherwise the policy decides on every program of the line, on its options and on the files it names, and what runs is written anew from the accepted line. The sandbox shows the folders that the policy names, without secrets, with a private home and /tmp and without network, and ends everything with the call, or with the session where the policy has background.',
  profile: { from: 'workspace', paths: true, commands: 'any' },
  specification: {
    answer: {
      exit_code: 0,
      stdout: 'ok 12 tests\n',
      stderr: 'a warning\n',
      duration_ms: 840.5,
      truncated: false,
      sandbox: 'bubblewrap',
    },
    errors: [
      { type: 'NotFoundError', when: 'the folder to start in is not there' },
      { type: 'NotADirectoryError', when: 'the folder to start in is not a folder' },
    ],
    security: {
      files:
        'In the sandbox a command sees the folders that the policy names, with secrets hidden and a private home and /tmp. Without a sandbox only the policy stands between a program and the files of the user: allow few programs, or set `sandbox_unavailable: deny`.',
      network:
        'None in the sandbox unless the policy says `network: hosts` (listed hosts) or `network: full`. Without a sandbox programs reach what the user reaches.',
      execution:
        'Runs programs. With `shell: full`, which `castellan init` writes, a line is any text of bash, and the sandbox is what contains it. Otherwise the policy decides on every program of the line, its options and the files it names: variables, substitutions and control flow are refused, and what runs is written anew from the accepted line. An allowed program may run others: allow interpreters, package managers and build tools only where their scripts are trusted.',
      changes:
        'Whatever the allowed programs can change where they may write. Set `consent: ask` for those that publish, push or remove.',
      secrets:
        'A command gets only the variables that the policy passes on (`env`); `redaction: { results: true }` hides secrets in its output. Do not pass tokens in `args` or `env`: other processes of the user can see them.',
    },
  },
  input: toolArguments({
    command: Type.String({
      description: 'A command line; with "args", the name or path of one program. 1 to 65536 characters.',
      minLength: 1,
      maxLength: 65_536,
      examples: ['npm test 2>&1 | tail -20'],
    }),
    args: Type.Optional(
      Type.Array(Type.String({ description: 'One argument, passed on as it is.' }), {
        description:
          'The exact arguments of the program in "command"; at most 4096. No character is special.',
        maxItems: 4_096,
        examples: [['-rn', 'TODO', 'src']],
      }),
    ),
    cwd: Type.Optional(
      Type.String({
        description:
          'The folder to start in, relative to the workspace or absolute; the workspace where absent.',
        minLength: 1,
        examples: ['packages/core'],
      }),
    ),
    stdin: Type.Optional(
      Type.String({
        description: 'Text for the standard input of the command; closed where absent.',
        examples: ['{"a": 1}'],
      }),
    ),
    timeout: Type.Optional(
      Type.Number({
        description: `Seconds after which the command is ended, above 0. It can only shorten the time that the policy gives, which is also the default: ${COMMAND_TIMEOUT_MS / 1000}, or background.ttl if the policy has background.`,
        exclusiveMinimum: 0,
        maximum: MAX_TIMEOUT_S,
        examples: [120],
      }),
    ),
    env: Type.Optional(
      mapOf(Type.String({ description: 'The value.' }), {
        description: 'Variables for the command, by name; those that a line could set with NAME=value.',
        examples: [{ NODE_ENV: 'test' }],
      }),
    ),
    wait: Type.Optional(
      Type.Number({
        description: `Seconds until the answer, 0 to ${MAX_WAIT_S}; 30 where absent. A command that still runs then runs on where the policy has background; else the answer comes at its end.`,
        minimum: 0,
        maximum: MAX_WAIT_S,
        examples: [10],
      }),
    ),
    background: Type.Optional(
      Type.Boolean({
        description:
          'true: answer at once with a process_id, for servers and watchers; needs background in the policy. false where absent.',
        examples: [true],
      }),
    ),
    run_in_background: Type.Optional(
      Type.Boolean({
        description: 'What a client\'s own shell tool calls "background".',
        examples: [false],
      }),
    ),
    description: Type.Optional(
      Type.String({
        description:
          "What the command is for, as a client's own shell tool is told; nothing is done with it.",
        examples: ['Run the tests'],
      }),
    ),
    save_output: Type.Optional(
      Type.String({
        description:
          'A file for the whole output, relative to the workspace or absolute; nothing is saved where absent.',
        minLength: 1,
        examples: ['output/test.log'],
      }),
    ),
  }),
  output: Type.Object({
    exit_code: Type.Integer({
      description: '0 where the command succeeded; 128 + n where signal n ended it; -1 while it runs on.',
    }),
    process_id: Type.Optional(
      Type.String({
        description: 'Present while it runs on: for process_output and stop_process.',
        examples: ['p_3fca0c4e'],
      }),
    ),
    cursor: Type.Optional(
      Type.Integer({ description: 'Where process_output reads on.', minimum: 0, examples: [18] }),
    ),
    output_id: Type.Optional(
      Type.String({
        description: 'Present after a long output: process_output reads all of it under this process_id.',
        examples: ['p_3fca0c4e'],
      }),
    ),
    stdout: Type.String({
      description:
        'What it printed, in text answers with its errors in order; the middle is cut if it is too long.',
    }),
    stderr: Type.String({
      description: 'What it printed as errors; the middle is cut where it is too long.',
    }),
    duration_ms: Type.Number({ description: 'How long it ran.', minimum: 0 }),
    truncated: Type.Boolean({ description: 'True where output was cut.' }),
    sandbox: Type.String({ description: 'What contained it.' }),
  }),
  show: showCommand,
  // A call may wait longer than a command runs by default.
  budget: { timeoutMs: COMMAND_TIMEOUT_MS, graceMs: MAX_WAIT_S * 1000 - COMMAND_TIMEOUT_MS + 2_000 },
  needs: { commands: ExecuteCommandLineHandler },
  permissions: allOf(runsCommand, writes('save_output')),
  capabilities: ['command'],
  // A client may forward the calls of its own shell tool here.
  run: ({ description: _, run_in_background, ...args }, { commands }, context) => {
    const background = args.background ?? run_in_background;
    return commands.handle({ ...args, ...(background !== undefined && { background }) }, context);
  },
});
