/**
 * A host's own program. tests/e2e/embedder.test.ts copies it into a folder that has the packed castellan and runs it; it
 * prints what it saw. It imports nothing but what a host can install. `npm run check` compiles it strictly against the
 * sources, the long run against the declarations in the package.
 */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import {
  AuditLog,
  type Caller,
  Castellan,
  type CastellanOptions,
  Clock,
  castellanModule,
  createCastellan,
  declareTool,
  defineTool,
  GetToolStatsHandler,
  getDeclaredTools,
  Result,
  readConfiguration,
  ToolResult,
  toolArguments,
} from 'castellan';
import type {
  AuditConnection,
  AuditIntent,
  AuditOutcome,
  AuditTicket,
  ToolStatsReport,
} from 'castellan/ports';
import * as testing from 'castellan/testing';
import { Container } from 'inversify';
import * as Type from 'typebox';

const about = {
  version: '1.0.0',
  category: 'host',
  summary: 'A tool of the host.',
  description: 'Does what its name says.',
  usage: 'Call it.',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security: 'None.',
  outputText: 'A line.',
} as const;

/** TypeBox types the arguments, `needs` the ports. */
const whatTime = defineTool({
  ...about,
  name: 'what_time',
  examples: [{ title: 'Now', arguments: { greeting: 'Hello' } }],
  input: toolArguments({ greeting: Type.String({ description: 'A greeting.', minLength: 1 }) }),
  needs: { clock: Clock },
  run: ({ greeting }, { clock }) => {
    const now: number = clock.now();
    // @ts-expect-error The schema has no such argument.
    const wrong = ({ greeting } satisfies { greeting: string }).other;
    return Result.ok(ToolResult.text([greeting, ', it is ', now, wrong].join('')));
  },
});

/** So does JSON Schema, which clients are sent untouched. Found because it was declared, not listed. */
declareTool(
  defineTool({
    ...about,
    name: 'repeat',
    examples: [{ title: 'Twice', arguments: { word: 'a', times: 2 } }],
    input: {
      type: 'object',
      properties: {
        word: { type: 'string', description: 'A word.' },
        times: { type: 'integer', minimum: 1, maximum: 9, description: 'How often.' },
        case: { enum: ['upper', 'lower'], description: 'How it is written.' },
      },
      required: ['word', 'times'],
      $comment: 'sent as it is',
    },
    run: (args, _needs, context) => {
      const { word, times }: { word: string; times: number } = args;
      const style: 'upper' | 'lower' | undefined = args.case;
      // @ts-expect-error It is a number.
      const text: string = args.times;
      const line = Array<string>(times).fill(word).join(' ');
      const prompt = context.workflow?.promptName ?? 'no prompt';
      return Result.ok(
        ToolResult.text(`${style === 'upper' ? line.toUpperCase() : line} (${text}, ${prompt})`),
      );
    },
  }),
);

/** Runs until it is cancelled. */
const wait = defineTool({
  ...about,
  name: 'wait',
  examples: [{ title: 'Wait', arguments: {} }],
  input: toolArguments({}),
  run: async (_args, _needs, context) => {
    await new Promise((done) => context.signal.addEventListener('abort', done, { once: true }));
    return Result.ok(ToolResult.text('never'));
  },
});

class Ledger implements AuditLog {
  readonly lines: string[] = [];

  async intent(intent: AuditIntent): Promise<Result<AuditTicket>> {
    return Result.ok({ segment: 'ledger', record: this.lines.length, call: () => intent.call.tool });
  }

  async outcome({ call, outcome }: AuditOutcome): Promise<Result<undefined>> {
    this.lines.push(`${call.caller.id} ${call.tool} ${outcome.kind}`);
    return Result.ok(undefined);
  }

  async connection({ connection }: AuditConnection): Promise<Result<undefined>> {
    this.lines.push(`${connection.host} ${connection.outcome}`);
    return Result.ok(undefined);
  }

  async flush(): Promise<Result<undefined>> {
    return Result.ok(undefined);
  }

  async close(): Promise<Result<undefined>> {
    return Result.ok(undefined);
  }
}

const operator: Caller = { id: 'olga', transport: 'embedded', claims: { team: 'ops' } };
const viewer: Caller = { id: 'vera', transport: 'embedded' };

async function textOf(...call: Parameters<Castellan['execute']>): Promise<string> {
  const outcome = await castellan.execute(...call);
  if (!outcome.success) return outcome.error.kind;
  const [block] = outcome.value.content;
  return block?.type === 'text' ? block.text : `${block?.type}`;
}

/** What a client at the other end of a pair of streams is told the tools are. */
async function toolsOver(streams: { caller: Caller }): Promise<Readonly<Record<string, unknown>>> {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = castellan.serve(input, output, streams);
  const answers = createInterface({ input: output })[Symbol.asyncIterator]();
  const ask = async (message: object) => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return JSON.parse((await answers.next()).value ?? '{}');
  };
  const clientInfo = { name: 'host', version: '1.0.0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  await ask({ id: 1, method: 'initialize', params });
  input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const { result } = await ask({ id: 2, method: 'tools/list' });
  input.end();
  await served;
  const listed: readonly { readonly name: string; readonly inputSchema: unknown }[] = result.tools;
  return Object.fromEntries(listed.map(({ name, inputSchema }) => [name, inputSchema]));
}

const options: CastellanOptions = {
  policy: 'policy.yaml',
  logLevel: 'silent',
  tools: [whatTime, wait, ...Object.values(getDeclaredTools())],
};
const configuration = await readConfiguration(options);
const container = new Container();
const missing = await Promise.resolve(container)
  .then((incomplete) => Castellan.open(incomplete))
  .then(() => 'nothing', String);
container.load(castellanModule(configuration, options));
const ledger = new Ledger();
container.rebind(AuditLog).toConstantValue(ledger);
container.rebind(Clock).toConstantValue({ now: () => 42, elapsed: () => 0 });
const castellan = Castellan.open(container);
await castellan.begin();

const prompt = await castellan.prompt('create-adr', { topic: 'storage' }, { caller: operator });
const workflow = prompt.success ? prompt.value.workflow : '';
const twice = { word: 'ho', times: 2, case: 'upper' };
const ended = new AbortController();
const waiting = textOf('wait', {}, { caller: operator, signal: ended.signal });
setImmediate(() => ended.abort());

const saw: Record<string, unknown> = {
  missing,
  sameContainer: castellan.container === container,
  told: await textOf('what_time', { greeting: 'Hello' }, { caller: operator }),
  refused: await textOf('what_time', { greeting: '' }, { caller: operator }),
  hidden: await textOf('what_time', { greeting: 'Hello' }, { caller: viewer }),
  ofNobody: await textOf('echo', { message: 'hi' }),
  prompt: prompt.success ? JSON.stringify(prompt.value.messages) : prompt.error,
  inWorkflow: await textOf('repeat', twice, { caller: operator, workflow }),
  outOfWorkflow: await textOf('repeat', twice, { caller: viewer, workflow }),
  tooMany: await textOf('repeat', { ...twice, times: 10 }, { caller: viewer }),
  cancelled: await waiting,
  operatorSees: await toolsOver({ caller: operator }),
  viewerSees: await toolsOver({ caller: viewer }),
};
const stats = container.get(GetToolStatsHandler).handle({ tool: 'repeat' });
const report: ToolStatsReport | undefined = stats.success ? stats.value : undefined;
saw.stats = report?.tools.repeat?.invocations;
await castellan.close();
saw.ledger = ledger.lines;

// The short way, with the fakes of castellan/testing under the tokens that it exports beside them.
const logger = new testing.RecordingLogger();
const own = await createCastellan({
  configure: (its) => {
    its.rebind(testing.Logger).toConstantValue(logger);
    its.rebind(testing.Clock).toConstantValue(new testing.ManualClock());
    its.rebind(testing.AuditLog).toConstantValue(new testing.RecordingAuditLog());
    its.rebind(testing.PolicySource).toConstantValue(new testing.OpenPolicy());
    its.rebind(testing.IdSource).toConstantValue(new testing.SequentialIds());
    its.rebind(testing.FlagStore).toConstantValue(new testing.InMemoryFlagStore());
    its.rebind(testing.LanguageModel).toConstantValue(new testing.ScriptedLanguageModel('An answer.'));
    // @ts-expect-error A logger is no clock.
    its.isBound('never') && its.rebind(testing.Clock).toConstantValue(logger);
  },
});
await own.execute('echo', { message: 'hi' });
await own.close();
saw.logged = logger.records.some(({ message, fields }) => JSON.stringify([message, fields]).includes('echo'));

// @ts-expect-error There is no such option.
const misspelt: CastellanOptions = { colour: 'red' };
saw.options = Object.keys(misspelt);
process.stdout.write(JSON.stringify(saw));
