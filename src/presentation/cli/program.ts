import { Command } from 'commander';

export interface ToolsOptions {
  readonly json?: boolean;
  readonly tokens?: boolean;
}

/** What each command does, given by the executable; a number is the exit code. */
export interface CommandActions {
  serve(): Promise<number>;
  connect(): Promise<number>;
  tools(options: ToolsOptions): Promise<number>;
  docs(options: { readonly check?: boolean }): Promise<number>;
  call(tool: string, json: string, options: { readonly json?: boolean }): Promise<number>;
  demo(): Promise<number>;
}

/** The command line. Resolves to the exit code. */
export function buildProgram(
  version: string,
  actions: CommandActions,
  done: (code: number) => void,
): Command {
  const program = new Command('castellan')
    .description('An MCP server that gives AI agents tools under a permission policy that a person can read.')
    .version(version)
    .showHelpAfterError()
    .exitOverride();
  const run =
    <Args extends unknown[]>(action: (...args: Args) => Promise<number>) =>
    async (...args: Args) =>
      done(await action(...args));

  program.action(run(() => (process.stdin.isTTY ? actions.connect() : actions.serve())));
  program
    .command('serve')
    .description('serve over stdio, as MCP clients start it')
    .action(run(() => actions.serve()));
  program
    .command('tools')
    .description('list the tools with category, version and consent')
    .option('--json', 'as JSON, the entries of tools/list and more')
    .option('--tokens', 'what each costs a model, with full and with concise descriptions')
    .action(run((options: ToolsOptions) => actions.tools(options)));
  program
    .command('docs')
    .description('write MCP_TOOL_SPECIFICATION.md from the definitions')
    .option('--check', 'only tell whether it is up to date')
    .action(run((options: { check?: boolean }) => actions.docs(options)));
  program
    .command('call')
    .description('make one call through the whole pipeline')
    .argument('<tool>', 'the name of a tool')
    .argument('[json]', 'its arguments as a JSON object, or - to read them from standard input', '{}')
    .option('--json', 'print the CallToolResult as a client gets it')
    .action(
      run((tool: string, json: string, options: { json?: boolean }) => actions.call(tool, json, options)),
    );
  program.command('demo', { hidden: true }).action(run(() => actions.demo()));
  return program;
}
