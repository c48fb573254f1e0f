import { expect } from 'chai';
import * as Type from 'typebox';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { buildToolDescription } from '../../../src/presentation/docs/tool-description.js';
import { declareTool, getDeclaredTools } from '../../../src/presentation/tools/declared-tools.js';
import { ToolArguments } from '../../../src/presentation/tools/seed-words.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';
import { echoTool } from '../../../src/presentation/tools/utility/echo.tool.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { definition, mustFail, mustValue, textOf } from '../../support/sample-tool.js';

const OWN = isolatedOptions();

const named = (name: string) => ({ ...echoTool, name });

describe('The collection of declared tools', () => {
  beforeEach(() => {
    getDeclaredTools();
  });

  it('S0-17: takes a definition in without wrapping it', () => {
    const definition = named('declared_once');
    declareTool(definition);
    expect(getDeclaredTools().declared_once).to.equal(definition);
  });

  it('S0-18: hands the same definition back, which goes on working', () => {
    const definition = named('declared_same');
    expect(declareTool(definition)).to.equal(definition);
    expect(definition.run).to.equal(echoTool.run);
  });

  it('S0-19: gives everything that was declared, by name', () => {
    declareTool(named('declared_a'));
    declareTool(named('declared_b'));
    expect(Object.keys(getDeclaredTools()).sort()).to.deep.equal(['declared_a', 'declared_b']);
  });

  it('S0-20: is empty after it was taken', () => {
    declareTool(named('declared_gone'));
    getDeclaredTools();
    expect(getDeclaredTools()).to.deep.equal({});
  });

  it('S0-21: cannot register a tool twice: a second declaration is refused, and so is a second taking', async () => {
    declareTool(named('declared_twice'));
    expect(() => declareTool(named('declared_twice'))).to.throw(/declared twice/);
    const first = await createCastellan({ logLevel: 'silent' });
    const second = await createCastellan({ logLevel: 'silent' });
    expect(first.container.get(ToolRegistry).get('declared_twice')).not.to.equal(undefined);
    expect(second.container.get(ToolRegistry).get('declared_twice')).to.equal(undefined);
    await Promise.all([first.close(), second.close()]);
  });

  const { name: _name, run: _run, input: _input, ...words } = definition();
  const input = toolArguments({ word: Type.String({ description: 'A word.' }) });

  it('S0-17, C33: declareTool decorates a static method, which stays as it is', async () => {
    // biome-ignore lint/complexity/noStaticOnlyClass: what a decorated tool looks like
    class Greetings {
      static readonly hello = 'Hello';

      @declareTool({ ...words, input })
      static greetUser({ word }: { readonly word: string }) {
        return Result.ok(ToolResult.text(`${Greetings.hello} ${word}`));
      }
    }
    const declared = getDeclaredTools().greet_user;
    expect(textOf(mustValue(Greetings.greetUser({ word: 'Ada' })))).to.equal('Hello Ada');
    const castellan = await createCastellan({ ...OWN, tools: declared === undefined ? [] : [declared] });
    expect(textOf(mustValue(await castellan.execute('greet_user', { word: 'Bob' })))).to.equal('Hello Bob');
    expect(mustFail(await castellan.execute('greet_user', {})).error.message).to.equal('word is required');
    await castellan.close();
  });

  it('S0-17, S0-18, C33: it decorates a function and hands the same one back', () => {
    const sayIt = ({ word }: { readonly word: string }) => Result.ok(ToolResult.text(word));
    expect(declareTool({ ...words, input })(sayIt)).to.equal(sayIt);
    expect(getDeclaredTools().say_it?.run).to.equal(sayIt);
  });

  it('C33: it understands the decorators of the language too', () => {
    const initializers: ((this: unknown) => void)[] = [];
    const shout = ({ word }: { readonly word: string }) => Result.ok(ToolResult.text(word.toUpperCase()));
    const context = {
      kind: 'method',
      name: 'shout',
      static: true,
      addInitializer: (initializer: (this: unknown) => void) => initializers.push(initializer),
    };
    const decorated: unknown = Reflect.apply(declareTool({ ...words, input }), undefined, [shout, context]);
    expect(decorated).to.equal(shout);
    for (const initialize of initializers) initialize.call({});
    expect(Object.keys(getDeclaredTools())).to.deep.equal(['shout']);
  });

  it('C33: it refuses a method that would need an instance', () => {
    const apply = (...args: readonly unknown[]): unknown =>
      Reflect.apply(declareTool({ ...words, input }), undefined, args);
    const method = () => Result.ok(1);
    expect(() => apply({}, 'method', { value: method })).to.throw('static method');
    expect(() => apply(method, { kind: 'method', name: 'method', static: false })).to.throw('static method');
    expect(() => apply('text')).to.throw('static method or a function');
    expect(getDeclaredTools()).to.deep.equal({});
  });

  it('S0-10, C33: ToolArguments is the builder with what the seeds put beside it', () => {
    const schema = ToolArguments({ word: Type.String({ description: 'A word.' }) });
    expect(schema).to.deep.equal(input);
    expect(ToolArguments.declare).to.equal(declareTool);
    expect(ToolArguments.getDeclaredTools).to.equal(getDeclaredTools);
    expect(ToolArguments.toSchemaMarkdown(schema)).to.contain('word').and.to.contain('A word.');
    expect(ToolArguments.buildToolDescription(definition(), 'full')).to.contain('## JSON Schema');
  });

  it('S0-22: loses and doubles nothing when tasks interleave', async () => {
    const taken: string[] = [];
    const declare = async (task: number) => {
      for (let count = 0; count < 50; count += 1) {
        declareTool(named(`task_${task}_tool_${count}`));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const take = async () => {
      for (let count = 0; count < 60; count += 1) {
        taken.push(...Object.keys(getDeclaredTools()));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([declare(1), take(), declare(2), take(), declare(3)]);
    taken.push(...Object.keys(getDeclaredTools()));
    expect(taken).to.have.length(150);
    expect(new Set(taken).size).to.equal(150);
  });

  it('S0-36, S0-37: what was declared is registered at the start with its complete description', async () => {
    const definition = declareTool(named('declared_described'));
    const castellan = await createCastellan({ logLevel: 'silent', toolDescriptions: 'full' });
    const tool = castellan.container.get(ToolRegistry).get('declared_described')?.tool;
    expect(tool?.description).to.equal(buildToolDescription(definition, 'full'));
    await castellan.close();
  });

  it('S0-38: it is registered under the name that the registrar decorates', async () => {
    declareTool(named('declared_prefixed'));
    const environment = { ...process.env, MCP_TOOL_PREFIX: 'guide' };
    const castellan = await createCastellan({ logLevel: 'silent', environment });
    expect(
      castellan.container.get(ToolRegistry).get('guide_declared_prefixed')?.tool.wireName('guide'),
    ).to.equal('guide_declared_prefixed');
    await castellan.close();
  });
});
