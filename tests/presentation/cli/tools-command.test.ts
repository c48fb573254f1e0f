import { expect } from 'chai';
import { describe, it } from 'mocha';
import { toolsCommand } from '../../../src/presentation/cli/tools-command.js';
import { MemoryOutput } from '../../support/memory-output.js';
import { Pipeline } from '../../support/pipeline.js';
import { runnable } from '../../support/sample-tool.js';

function setUp() {
  const off = runnable({ name: 'off' });
  off.tool.disable();
  return new Pipeline([
    off,
    runnable({ name: 'echo', category: 'utility', version: '1.2.3' }),
    runnable({ name: 'create', explicitAction: 'CREATE_IT' }),
  ]).registry;
}

describe('castellan tools', () => {
  it('lists the enabled tools with category, version and consent, in columns', () => {
    const output = new MemoryOutput();
    expect(toolsCommand(setUp(), { prefix: 'guide' }, {}, output)).to.equal(0);
    expect(output.stdout.trimEnd().split('\n')).to.deep.equal([
      'TOOL    CATEGORY  VERSION  CONSENT    TITLE',
      'create  -         1.0.0    CREATE_IT  Create',
      'echo    utility   1.2.3    -          Echo',
    ]);
  });

  it('gives the entries of tools/list and more as JSON', () => {
    const output = new MemoryOutput();
    toolsCommand(setUp(), { prefix: 'guide' }, { json: true }, output);
    const { tools } = JSON.parse(output.stdout);
    expect(tools.map(({ name }: { name: string }) => name)).to.deep.equal(['guide_create', 'guide_echo']);
    expect(tools[1]).to.include({ category: 'utility', version: '1.2.3', consent: null });
    expect(tools[0]).to.include({ category: null, consent: 'CREATE_IT' });
  });
});
