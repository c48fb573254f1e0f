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
          command.error('error: --host and --port need --http; over stdio nothing listens');
        return actions.serve(where(), options);
      }),
    );
  program
    .command('token')
    .description('the token of the HTTP server')
    .helpCommand(false)
    .command('rotate')
    .description('make another token and print it once; the one before is refused after the next start')
    .action(run(() => actions.tokenRotate()));
  program
    .command('key')
    .description('API keys of HTTP callers')
    .helpCommand(false)
    .command('add')
    .description('make a key, print it once, and the line that the policy needs for it')
    .argument('<name>', 'what logs, audit and metrics call the caller')
    .requiredOption('--role <role>', 'a role of the policy')
    .option('--write', 'add the line to the policy file')
    .action(run((name: string, options: KeyAddOptions) => actions.keyAdd(where(), name, options)));
}

function addTools({ program, actions, run, where }: Building): void {
  program
    .command('tools')
    .description('list the tools with category, version and consent')
    .option('--json', 'as JSON, the entries of tools/list and more; with --tokens, the figures')
    .option('--category <name>', 'only the tools of this category')
    .option('--tokens', 'what each tool and set costs a model, in tokens')
    .action(run((options: ToolsOptions) => actions.tools(where(), options)));
  program
    .command('call')
    .description('make one call through the whole pipeline')
    .argument('<tool>', 'the name of a tool')
    .argument('[json]', 'its arguments as a JSON object, or - to read them from standard input', '{}')
    .option('--json', 'print the CallToolResult as a client gets it')
    .action(
      run((tool: string, json: string, options: JsonOption) => actions.call(where(), tool, json, options)),
    );
  program
    .command('approve')
    .description('show the calls that wait for a person, and allow or decline each with your PIN')
    .argument('[id]', 'only this question')
    .option('--list', 'only show them')
    .option('--for <time>', 'do not ask for the PIN again for so long, such as 10m', parseTime)
    .option('--set-pin', 'set the PIN, or another one')
    .action(run((id: string | undefined, options: ApproveOptions) => actions.approve(id, options)));
  program
    .command('docs')
    .description('write MCP_TOOL_SPECIFICATION.md from the definitions')
    .option('--check', 'only tell whether it is up to date')
    .option('--tools <modules...>', 'with the tools that these modules export or declare; they are run')
    .action(run((options: DocsOptions) => actions.docs(where(), options)));
  program
    .command('demo')
    .description('make a call here, have another refused, and show why')
    .action(run(() => actions.demo(where())));
}
