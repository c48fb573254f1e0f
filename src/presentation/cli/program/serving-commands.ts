import type { Command } from 'commander';
import type { ApproveOptions } from '../approve-command.js';
import type { KeyAddOptions } from '../key-add-command.js';
import type { Building } from './building.js';
import type { DocsOptions, JsonOption, ServeOptions, ToolsOptions } from './command-actions.js';
import { parsePort, parseTime } from './option-values.js';

/** Commands that start a server, make a call, or describe the tools. */
export function addServing(building: Building): void {
  addServers(building);
  addTools(building);
}

function addServers({ program, actions, run, where }: Building): void {
  program
    .command('serve')
    .description('serve over stdio, as MCP clients start it, or over HTTP')
    .option('--http', 'serve many clients over HTTP')
    .option('--host <address>', 'where to listen (CASTELLAN_HTTP_HOST; 127.0.0.1)')
    .option('--port <number>', 'on which port (CASTELLAN_HTTP_PORT; 7337)', parsePort)
    .action(
      run((options: ServeOptions, command: Command) => {
        if (options.http !== true && (options.host ?? options.port) !== undefined)
          command.error('error: --host and --port need --http');
        return actions.serve(where(), options);
      }),
    );
  program
    .command('token')
    .description('the token of the HTTP server')
    .helpCommand(false)
    .command('rotate')
    .description('create a new token and print it once; the old one is refused after the next start')
    .action(run(() => actions.tokenRotate()));
  program
    .command('key')
    .description('API keys of HTTP callers')
    .helpCommand(false)
    .command('add')
    .description('create a key, print it once, and the line to add to the policy')
    .argument('<name>', "the caller's name in logs, audit and metrics")
    .requiredOption('--role <role>', 'a role of the policy')
    .option('--write', 'add the line to the policy file')
    .action(run((name: string, options: KeyAddOptions) => actions.keyAdd(where(), name, options)));
}

function addTools({ program, actions, run, where }: Building): void {
  program
    .command('tools')
    .description('list the tools with category, version and consent')
    .option('--json', 'print JSON: the entries of tools/list with details; with --tokens, the numbers')
    .option('--category <name>', 'only the tools of this category')
    .option('--tokens', 'print the tokens that each tool and toolset costs')
    .action(run((options: ToolsOptions) => actions.tools(where(), options)));
  program
    .command('call')
    .description('make one call through the whole pipeline')
    .argument('<tool>', 'the name of a tool')
    .argument('[json]', 'its arguments as a JSON object, or - to read them from standard input', '{}')
    .option('--json', 'print the CallToolResult that a client would get')
    .action(
      run((tool: string, json: string, options: JsonOption) => actions.call(where(), tool, json, options)),
    );
  program
    .command('approve')
    .description('show calls that wait for your approval, and allow or decline each with your PIN')
    .argument('[id]', 'only this question')
    .option('--list', 'only show them')
    .option('--for <time>', 'do not ask for the PIN again for this time, such as 10m', parseTime)
    .option('--set-pin', 'set or change the PIN')
    .action(run((id: string | undefined, options: ApproveOptions) => actions.approve(id, options)));
  program
    .command('docs')
    .description('write MCP_TOOL_SPECIFICATION.md from the definitions')
    .option('--check', 'only check whether it is up to date')
    .option('--tools <modules...>', 'add the tools that these modules export or declare; the modules are run')
    .action(run((options: DocsOptions) => actions.docs(where(), options)));
  program
    .command('demo')
    .description('run one allowed and one refused call, and explain the refusal')
    .action(run(() => actions.demo(where())));
}
