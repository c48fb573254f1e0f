// How a tool is written: ../README.md
import * as Type from 'typebox';
import { GetSystemInfoHandler } from '../../../application/command/get-system-info.js';
import { Result } from '../../../domain/result.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';

const text = (description: string) => Type.String({ description });

export const systemInfoTool = defineTool({
  name: 'system_info',
  version: '1.0.0',
  category: 'system',
  toolset: 'meta',
  tags: ['diagnostics'],
  summary: 'Show the system that commands run on.',
  description:
    'The operating system, the processor, the run-time version, the workspace, the user and what contains commands. Use it before you write commands that differ between systems, or to see why commands are refused.',
  usage: 'Call without arguments.',
  concise: { text: 'Show the operating system, versions and the sandbox that commands run in.' },
  examples: [{ title: 'The system, with its sandbox', arguments: {} }],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security:
    'Shows names and versions of the system, the folder of the workspace and the name of the user; never variables, secrets or other folders.',
  profile: { from: 'readonly' },
  specification: {
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
  input: toolArguments({}),
  output: Type.Object({
    platform: text('System, release and machine in one word.'),
    system: text('The operating system, such as Linux or Darwin.'),
    release: text('The release of its kernel.'),
    version: text('The version of its kernel, as the system tells it.'),
    machine: text('The architecture, such as x86_64 or arm64.'),
    processor: text('The model of the processor.'),
    node_version: text('The version of Node.js that the server runs on.'),
    python_version: Type.Null({ description: 'Always null: the server does not run on Python.' }),
    cwd: text('The workspace: the folder that relative paths and commands start from.'),
    user: text('The user of the server, or "unknown".'),
    sandbox: text('What contains commands, or why nothing does and what to install.'),
  }),
  needs: { info: GetSystemInfoHandler },
  run: async (_, { info }) => Result.ok(await info.handle()),
});
