import { isatty } from 'node:tty';
import { Command, Option } from 'commander';
import { nearestNames } from '../../domain/nearest-names.js';
import type {
  CommandActions,
  DocsOptions,
  GlobalOptions,
  InitProfileName,
  ServeOptions,
  ToolsOptions,
} from './command-actions.js';

type Run = <Args extends unknown[]>(
  action: (...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

interface Building {
  readonly program: Command;
  readonly actions: CommandActions;
  readonly run: Run;
  /** The options of every command, wherever on the line they stood. */
  readonly where: () => GlobalOptions;
}

const AFTER_HELP = `
Without a command: serves over stdio; on a terminal, shows how to connect a client.

Exit codes: 0 done; 1 the call failed or problems were found; 2 usage; 3 configuration or policy;
4 something missing on the machine; 130 interrupted.`;

/** The command line. Tells the exit code to `done`. */
export function buildProgram(
  version: string,
  actions: CommandActions,
  done: (code: number) => void,
): Command {
  const program = new Command('castellan')
    .description('An MCP server that gives AI agents tools under a permission policy that a person can read.')
    .version(version)
    .option('--workspace <folder>', 'the folder that relative paths mean (CASTELLAN_WORKSPACE)')
    .option('--policy <file>', 'the permission policy; naming it is trusting it (CASTELLAN_POLICY)')
    .option('--config <file>', 'the settings, a castellan.yaml (CASTELLAN_CONFIG)')
    .option('--ceiling <file>', 'a policy that can only narrow the one in force (CASTELLAN_CEILING)')
    .configureHelp({ showGlobalOptions: true })
    .helpCommand('help [command]', 'the help of a command')
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('`castellan --help` lists the commands, `castellan COMMAND --help` their options.')
    .exitOverride();
  const run: Run =
    (action) =>
    async (...args) =>
      done(await action(...args));
  const building: Building = { program, actions, run, where: () => program.opts<GlobalOptions>() };
  program.action(
    run(async () => {
      const [word] = program.args;
      if (word !== undefined) refuseCommand(program, word);
      return isatty(0) ? actions.connect() : actions.serve(building.where());
    }),
  );
  addServing(building);
  addSetup(building);
  addPolicy(building);
  addAudit(building);
  // Last, for commands inherit it: a word that is none reaches the action above, which says so.
  return program.allowExcessArguments();
}

function refuseCommand(program: Command, word: string): never {
  const [nearest] = nearestNames(
    word,
    program.commands.map((command) => command.name()).filter((name) => name !== 'demo'),
  );
  const guess = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return program.error(`error: unknown command '${word}'.${guess}`, { code: 'commander.unknownCommand' });
}

function addServing({ program, actions, run, where }: Building): void {
  program
    .command('serve')
    .description('serve over stdio, as MCP clients start it, or over HTTP')
    .option('--http', 'serve many clients over HTTP')
    .option('--host <address>', 'where to listen (CASTELLAN_HTTP_HOST; 127.0.0.1)')
    .option('--port <number>', 'on which port (CASTELLAN_HTTP_PORT; 7337)')
    .action(run((options: ServeOptions) => actions.serve(where(), options)));
  program
    .command('token')
    .description('the token of the HTTP server')
    .helpCommand(false)
    .command('rotate')
    .description('make another token and print it once; the one before is refused after the next start')
    .action(run(() => actions.tokenRotate()));
  program
    .command('tools')
    .description('list the tools with category, version and consent')
    .option('--json', 'as JSON, the entries of tools/list and more')
    .option('--category <name>', 'only the tools of this category')
    .option('--tokens', 'what each costs a model, with full and with concise descriptions')
    .action(run((options: ToolsOptions) => actions.tools(where(), options)));
  program
    .command('call')
    .description('make one call through the whole pipeline')
    .argument('<tool>', 'the name of a tool')
    .argument('[json]', 'its arguments as a JSON object, or - to read them from standard input', '{}')
    .option('--json', 'print the CallToolResult as a client gets it')
    .action(
      run((tool: string, json: string, options: { json?: boolean }) =>
        actions.call(where(), tool, json, options),
      ),
    );
  program
    .command('docs')
    .description('write MCP_TOOL_SPECIFICATION.md from the definitions')
    .option('--check', 'only tell whether it is up to date')
    .option('--tools <modules...>', 'with the tools that these modules export or declare; they are run')
    .action(run((options: DocsOptions) => actions.docs(where(), options)));
  program.command('demo', { hidden: true }).action(run(() => actions.demo(where())));
}

function addSetup({ program, actions, run, where }: Building): void {
  program
    .command('init')
    .description('write permissions.yaml and castellan.yaml here, commented, and trust them')
    .addOption(
      new Option('--profile <name>', 'what the policy begins with')
        .choices(['readonly', 'workspace'])
        .default('workspace'),
    )
    .option('--force', 'overwrite what is there')
    .action(run((options: { profile: InitProfileName; force?: boolean }) => actions.init(where(), options)));
  program
    .command('trust')
    .description('accept a policy or settings file that was found in the workspace, by its hash')
    .argument('[file]', 'the file; every configuration file of the workspace where absent')
    .action(run((file: string | undefined) => actions.trust(where(), file)));
  program
    .command('doctor')
    .description('what works on this machine, what does not, what to install')
    .action(run(() => actions.doctor(where())));
}

function addPolicy({ program, actions, run, where }: Building): void {
  const policy = program
    .command('policy')
    .description('check the policy, or ask it about a call')
    .helpCommand(false);
  policy
    .command('check')
    .description("schema, lint, the policy's own tests, and the power it really grants")
    .argument('[file]', 'a policy file; the one in force where absent')
    .action(run((file: string | undefined) => actions.policyCheck(where(), file)));
  policy
    .command('explain')
    .description('the decision about a call, the rule that made it, each step')
    .argument('<tool>', 'the name of a tool')
    .argument('[json]', 'its arguments as a JSON object, or - to read them from standard input', '{}')
    .option('--json', 'as JSON')
    .action(
      run((tool: string, json: string, options: { json?: boolean }) =>
        actions.policyExplain(where(), tool, json, options),
      ),
    );
}

function addAudit({ program, actions, run }: Building): void {
  const audit = program.command('audit').description('check or show the record of calls').helpCommand(false);
  audit
    .command('verify')
    .description('check that nothing was changed, removed or cut')
    .argument('[file]', 'one segment; the whole log where absent')
    .action(run((file: string | undefined) => actions.auditVerify(file)));
  audit
    .command('tail')
    .description('show the last calls')
    .argument('[file]', 'one segment; the whole log where absent')
    .option('-n, --count <number>', 'how many', '20')
    .option('--json', 'the records as they were written, a line each')
    .action(
      run((file: string | undefined, options: { count: string; json?: boolean }) =>
        actions.auditTail(file, options),
      ),
    );
}
