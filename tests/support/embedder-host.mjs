// A host's own program, copied into a folder where the packed castellan is installed. Prints what it saw.
import {
  applicationModule,
  Castellan,
  Clock,
  createCastellan,
  defineTool,
  infrastructureModule,
  Logger,
  presentationModule,
  Result,
  readConfiguration,
  ToolResult,
  toolArguments,
  toolsModule,
} from 'castellan';
import { RecordingLogger } from 'castellan/testing';
import { Container } from 'inversify';
import * as Type from 'typebox';

const whatTime = defineTool({
  name: 'what_time',
  version: '1.0.0',
  category: 'host',
  summary: 'Tell the time.',
  description: 'Answers with the time of the clock that the host has bound.',
  usage: 'Call it with a greeting.',
  examples: [{ title: 'Now', arguments: { greeting: 'Hello' } }],
  effects: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  security: 'None.',
  outputText: 'The greeting and the time.',
  input: toolArguments({ greeting: Type.String({ description: 'A greeting.', minLength: 1 }) }),
  needs: { clock: Clock },
  run: ({ greeting }, { clock }) => Result.ok(ToolResult.text(`${greeting}, it is ${clock.now()}`)),
});
const stopped = { now: () => 42, elapsed: () => 0 };

async function textOf(castellan, tool, args) {
  const outcome = await castellan.execute(tool, args);
  return outcome.success ? outcome.value.content[0].text : `${outcome.error.kind}: ${outcome.error.message}`;
}

const logger = new RecordingLogger();
const own = await createCastellan({
  tools: [whatTime],
  configure: (container) => {
    container.rebind(Clock).toConstantValue(stopped);
    container.rebind(Logger).toConstantValue(logger);
  },
});
const told = await textOf(own, 'what_time', { greeting: 'Hello' });
const refused = await textOf(own, 'what_time', { greeting: '' });
await own.close();

const container = new Container();
const options = { tools: [whatTime], logLevel: 'silent' };
const configuration = await readConfiguration(options);
const modules = [
  infrastructureModule(configuration, options),
  applicationModule(),
  presentationModule(configuration, options),
];
container.load(...modules);
let missing = '';
try {
  Castellan.open(container);
} catch (error) {
  missing = error.message;
}
container.load(toolsModule(configuration, options));
const guest = Castellan.open(container);
const echoed = await textOf(guest, 'echo', { message: 'from a guest' });
await guest.close();

const sameContainer = guest.container === container;
const logged = logger.records.some(({ message, fields }) =>
  JSON.stringify([message, fields]).includes('what_time'),
);
process.stdout.write(JSON.stringify({ told, refused, logged, missing, echoed, sameContainer }));
