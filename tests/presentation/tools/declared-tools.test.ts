import { expect } from 'chai';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { buildToolDescription } from '../../../src/presentation/docs/tool-description.js';
import { declareTool, takeDeclaredTools } from '../../../src/presentation/tools/declared-tools.js';
import { echoTool } from '../../../src/presentation/tools/utility/echo.tool.js';

const named = (name: string) => ({ ...echoTool, name });

describe('The collection of declared tools', () => {
  beforeEach(() => {
    takeDeclaredTools();
  });

  it('S0-17: takes a definition in without wrapping it', () => {
    const definition = named('declared_once');
    declareTool(definition);
    expect(takeDeclaredTools().declared_once).to.equal(definition);
  });

  it('S0-18: hands the same definition back, which goes on working', () => {
    const definition = named('declared_same');
    expect(declareTool(definition)).to.equal(definition);
    expect(definition.run).to.equal(echoTool.run);
  });

  it('S0-19: gives everything that was declared, by name', () => {
    declareTool(named('declared_a'));
    declareTool(named('declared_b'));
    expect(Object.keys(takeDeclaredTools()).sort()).to.deep.equal(['declared_a', 'declared_b']);
  });

  it('S0-20: is empty after it was taken', () => {
    declareTool(named('declared_gone'));
    takeDeclaredTools();
    expect(takeDeclaredTools()).to.deep.equal({});
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
        taken.push(...Object.keys(takeDeclaredTools()));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([declare(1), take(), declare(2), take(), declare(3)]);
    taken.push(...Object.keys(takeDeclaredTools()));
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
