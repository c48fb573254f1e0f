import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import type { ToolDefinition } from '../../../src/application/tool/tool-definition.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { Greeter } from '../../support/greeter.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { definition, mustValue, textOf } from '../../support/sample-tool.js';

const OWN = isolatedOptions();

const greet = definition({
  name: 'greet',
  needs: { greeter: Greeter },
  run: (_args, { greeter }) => Result.ok(ToolResult.text((greeter as Greeter).greet('you'))),
});

async function whyNot(tools: readonly ToolDefinition[]): Promise<string> {
  const outcome = await createCastellan({ ...OWN, tools }).catch((error: unknown) => error);
  return outcome instanceof Error ? outcome.message : expect.fail('it started');
}

describe('registerTools', () => {
  it('S3-12: makes what a tool needs at its first call and not before, once', async () => {
    let made = 0;
    const castellan = await createCastellan({
      ...OWN,
      tools: [greet],
      configure: (container) => {
        container.bind(Greeter).toDynamicValue(() => {
          made += 1;
          return { greet: (name) => `Hello ${name}` };
        });
      },
    });
    await castellan.execute('echo');
    expect(made).to.equal(0);
    for (let n = 0; n < 3; n += 1) {
      expect(textOf(mustValue(await castellan.execute('greet')))).to.equal('Hello you');
    }
    expect(made).to.equal(1);
    await castellan.close();
  });

  it('fails the start when nothing binds a need', async () => {
    expect(await whyNot([greet])).to.contain('greet needs Symbol(test.Greeter) as "greeter"');
  });

  it('S3-07: fails the start on an invalid definition, saying what is wrong', async () => {
    expect(await whyNot([definition({ name: 'Bad Name' })])).to.contain('snake_case');
    expect(await whyNot([definition({ version: 'one' })])).to.contain('semver');
    const schema = JSON.parse('{"type":"array"}');
    expect(await whyNot([definition({ input: schema })])).to.contain('JSON Schema');
  });

  it('S3-08: fails the start when two tools share a name', async () => {
    expect(await whyNot([definition({ name: 'echo' })])).to.contain('already answers to that name');
  });

  it('S3-11: a definition is all a new tool takes; it is listed, described and called like any other', async () => {
    const castellan = await createCastellan({ ...OWN, toolDescriptions: 'full', tools: [definition()] });
    const tool = castellan.container.get(ToolRegistry).get('sample');
    expect(tool?.tool.toMcpFormat()).to.include({ name: 'sample' });
    expect(tool?.tool.description).to.contain('## JSON Schema');
    expect(textOf(mustValue(await castellan.execute('sample')))).to.equal('done');
    await castellan.close();
  });
});
