import '../support/setup.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PromptSource } from '../../src/application/ports/prompt/prompt-source.js';
import { ResourceProvider } from '../../src/application/ports/resource/resource-provider.js';
import { CallerAuthenticator } from '../../src/application/ports/session/caller-authenticator.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import type { Prompt } from '../../src/domain/prompt/prompt.js';
import { Result } from '../../src/domain/result.js';
import type { Caller } from '../../src/domain/session/caller.js';
import type { ContentBlock } from '../../src/domain/tool/tool-result.js';
import { fixtureTools, PNG } from './fixture-tools.js';
import { modernTools } from './modern-fixture-tools.js';

const promptListeners = new Set<() => void>();
const tools = [
  ...fixtureTools,
  ...modernTools({
    changeTools: () => {
      castellan.hideTool('test_simple_text', castellan.sessionOf(REFEREE));
      castellan.showTool('test_simple_text', castellan.sessionOf(REFEREE));
    },
    changePrompts: () => {
      for (const listener of promptListeners) listener();
    },
  }),
];
const REFEREE: Caller = { id: 'referee', transport: 'http', apiKeyHash: 'referee' };

/** The referee has no token: whoever comes is the referee. It listens on the loopback interface only. */
const anybody: CallerAuthenticator = {
  authenticate: () => ({
    kind: 'caller',
    caller: REFEREE,
  }),
};

const entry = (uri: string, name: string, mimeType: string) => ({
  uri,
  name,
  title: name,
  description: name,
  mimeType,
});

const resources: ResourceProvider = {
  list: async () => [
    entry('test://static-text', 'Static text', 'text/plain'),
    entry('test://static-binary', 'Static binary', 'image/png'),
    entry('test://watched-resource', 'Watched', 'text/plain'),
  ],
  templates: () => [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'Template',
      description: 'By id',
      mimeType: 'application/json',
    },
  ],
  read: async (uri) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id !== undefined) {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return Result.ok({ uri, mimeType: 'application/json', text: JSON.stringify(data) });
    }
    switch (uri) {
      case 'test://static-text':
        return Result.ok({
          uri,
          mimeType: 'text/plain',
          text: 'This is the content of the static text resource.',
        });
      case 'test://static-binary':
        return Result.ok({ uri, mimeType: 'image/png', blob: PNG });
      case 'test://watched-resource':
        return Result.ok({ uri, mimeType: 'text/plain', text: 'Watched resource content' });
      default:
        return undefined;
    }
  },
  complete: async () => [],
};

const prompt = (name: string, text: string, args: readonly string[] = []): Prompt => ({
  name,
  description: name,
  arguments: args.map((argument) => ({ name: argument, description: argument, required: true })),
  messages: [{ role: 'user', text }],
  examples: [],
});

const withContent = (found: Prompt, content: ContentBlock): Prompt => ({
  ...found,
  messages: [{ role: 'user', text: '', content }, ...found.messages],
});

const prompts: PromptSource = {
  list: async () => [
    prompt('test_prompt_with_arguments', "Prompt with arguments: arg1='{{arg1}}', arg2='{{arg2}}'", [
      'arg1',
      'arg2',
    ]),
    withContent(
      prompt('test_prompt_with_embedded_resource', 'Please process the embedded resource above.', [
        'resourceUri',
      ]),
      {
        type: 'resource',
        resource: {
          uri: '{{resourceUri}}',
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
    ),
    withContent(prompt('test_prompt_with_image', 'Please analyze the image above.'), {
      type: 'image',
      data: PNG,
      mimeType: 'image/png',
    }),
    prompt('test_input_required_result_prompt', 'Use the context {{context}}.', ['context']),
    prompt('test_simple_prompt', 'This is a simple prompt for testing.'),
  ],
  problems: () => [],
  onChange: (listener) => {
    promptListeners.add(listener);
    return () => promptListeners.delete(listener);
  },
  close: async () => {},
};

const workspace = mkdtempSync(join(tmpdir(), 'castellan-referee-'));
const policy = join(workspace, 'policy.yaml');
writeFileSync(policy, `version: 1\ntools: {${tools.map(({ name }) => ` ${name}: {}`).join(',')} }\n`);
const castellan = await createCastellan({
  workspace,
  policy,
  environment: { HOME: workspace },
  logLevel: 'silent',
  tools,
  configure: (container) => {
    container.bind(CallerAuthenticator).toConstantValue(anybody);
    container.bind(ResourceProvider).toConstantValue(resources);
    container.rebind(PromptSource).toConstantValue(prompts);
  },
});
const { url } = await castellan.listen({ port: Number(process.argv[2] ?? 0), admin: 'off' });
process.stdout.write(`${url}\n`);
process.once('SIGTERM', async () => {
  await castellan.close();
  rmSync(workspace, { recursive: true, force: true });
});
