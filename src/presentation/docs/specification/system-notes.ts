import type { ToolSpecificationNotes } from '../../../application/tool/tool-definition.js';

/** Tools about the machine, a model and the server itself. */
export const SYSTEM_NOTES: Readonly<Record<string, ToolSpecificationNotes>> = {
  claude_conversation: {
    answer: 'Quicksort, merge sort and heapsort.',
    security: {
      files: 'None.',
      network:
        'Sends the message and the system prompt to the Anthropic API, or to the model that the client lends. `allowed_hosts` and `denied_hosts` of the policy decide which host it may reach.',
      execution: 'None: an answer is text. Do not run code from it unread.',
      changes:
        'None; but every call costs money. Limit it with `allowed_models`, `arguments.max_tokens` and `tokens` in the policy.',
      secrets:
        'Send no secrets and no personal data: they leave the machine. The API key is read from ANTHROPIC_API_KEY, stays in the server and is in no answer and no log.',
    },
  },
  echo: {
    answer: 'Echo: Hello',
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None.',
      secrets:
        'The message is returned to the caller that sent it and is kept only as a digest in the audit log.',
    },
  },
  execute_command: {
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
  enable_toolset: {
    answer: {
      enabled: [
        { set: 'flags', purpose: 'flags of the project and of all projects', tools: ['get_project_flag'] },
      ],
      hidden: [{ set: 'meta', purpose: 'facts about the server and the system', tools: ['system_info'] }],
    },
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None: only what this session is shown.',
      secrets:
        'Names only tools that the policy could allow to this caller. Leave it out with `tools: { exclude: [enable_toolset] }`.',
    },
  },
  list_processes: {
    answer: [
      {
        process_id: 'p_3fca0c4e',
        command: 'npm run dev',
        state: 'running',
        duration_ms: 61_200,
        output_bytes: 2_048,
      },
    ],
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None.',
      secrets:
        'Shows the command lines of the session that asks. Pass no tokens in them: give them by `env`.',
    },
  },
  process_input: {
    answer: {
      process_id: 'p_3fca0c4e',
      state: 'running',
      output: '> 2\n',
      cursor: 2_048,
      duration_ms: 61_200,
    },
    security: {
      files: 'The process reads and writes what it can reach in its sandbox.',
      network: 'The process reaches what `network` of execute_command gives to its sandbox.',
      execution:
        'An interpreter runs what is typed to it: the tool is there only where execute_command allows every program, and asks where that asks.',
      changes:
        'Whatever the process does with the text, where it may write. Set `consent: ask` at execute_command to be asked.',
      secrets: 'The text is in the audit log as the policy says for arguments, by default as a digest.',
    },
  },
  process_output: {
    answer: {
      process_id: 'p_3fca0c4e',
      state: 'running',
      output: 'listening on 3000\n',
      cursor: 18,
      duration_ms: 61_200,
    },
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None.',
      secrets: '`redaction: { results: true }` hides secrets in output, as for execute_command.',
    },
  },
  stop_process: {
    answer: {
      process_id: 'p_3fca0c4e',
      state: 'stopped',
      output: 'listening on 3000\n',
      cursor: 18,
      duration_ms: 61_200,
    },
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'Ends a process of the same session at once; what it had not written is lost.',
      secrets: 'Shows the last lines of output; `redaction: { results: true }` hides secrets in them.',
    },
  },
  explain_permission: {
    answer: {
      allowed: false,
      asks: false,
      reason: 'DENIED_PATH',
      rule_kind: 'path',
      hint: 'Choose another path, or ask the operator.',
    },
    security: {
      files: 'None: a path is judged by its name and its links, never opened.',
      network: 'None.',
      execution: 'None: the call in question is not made and nobody is asked.',
      changes: 'None.',
      secrets:
        'Names the kind of rule, never a rule, a pattern or a path that the call did not name; a tool that the caller may not see is answered like one that does not exist. Leave it out of the policy where callers must not probe it.',
    },
  },
  get_tool_stats: {
    answer: {
      total: { invocations: 42, failures: 2, timeouts: 1, total_ms: 512.25 },
      tools: {
        echo: {
          invocations: 42,
          failures: 2,
          timeouts: 1,
          total_ms: 512.25,
          failures_by_kind: { timeout: 1, 'invalid-input': 1 },
          p50_ms: 0.4,
          p95_ms: 2.1,
          p99_ms: 9.8,
          max_ms: 480,
          breaker: 'closed',
        },
      },
    },
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None.',
      secrets:
        'Shows names of tools, counts and times of all callers; never arguments or results. Leave it out of the policy where callers must not learn of each other.',
    },
  },
  system_info: {
    answer: {
      platform: 'Linux-6.12.0-x86_64',
      system: 'Linux',
      release: '6.12.0',
      version: '#1 SMP PREEMPT_DYNAMIC',
      machine: 'x86_64',
      processor: 'AMD EPYC 7763',
      node_version: '24.11.0',
      python_version: null,
      cwd: '/home/ada/castellan',
      user: 'ada',
      sandbox: 'bubblewrap 0.11.0',
    },
    security: {
      files: 'None that a caller could choose.',
      network: 'None.',
      execution: 'None for the caller; the server looks once for the sandbox that the machine has.',
      changes: 'None.',
      secrets:
        'Shows versions, the folder of the workspace and the name of the user, never variables. Leave it out of the policy where a caller must not learn them.',
    },
  },
};
