import { expect } from 'chai';
import { describe, it } from 'mocha';
import { connectHelp } from '../../../src/presentation/cli/connect-help.js';

describe('connectHelp', () => {
  it('has a line for each client, whose JSON is JSON', () => {
    const text = connectHelp('node', ['/opt/castellan/main.js']);
    for (const client of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Gemini CLI']) {
      expect(text).to.contain(`\n${client} `);
    }
    expect(text).to.contain('claude mcp add castellan -- node /opt/castellan/main.js');
    for (const [json] of text.matchAll(/\{.*\}\}/g)) {
      const { mcpServers, servers } = JSON.parse(json);
      expect((mcpServers ?? servers).castellan).to.deep.equal({
        command: 'node',
        args: ['/opt/castellan/main.js'],
      });
    }
  });
});
