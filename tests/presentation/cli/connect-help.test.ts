import { expect } from 'chai';
import { describe, it } from 'mocha';
import { connectHelp } from '../../../src/presentation/cli/connect-help.js';

/** The server's entry in each line that has JSON, by client. */
function entries(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...text.matchAll(/^(\S+(?: \S+)?) +(\{.*\}\})/gm)].map(([, client = '', json = '']) => {
      const { mcpServers, servers } = JSON.parse(json);
      return [client, (mcpServers ?? servers).castellan];
    }),
  );
}

describe('connectHelp', () => {
  const start = { command: 'node', args: ['/opt/castellan/main.js'] };

  it('has a line for each client, whose JSON is JSON', () => {
    const text = connectHelp('node', ['/opt/castellan/main.js']);
    expect(text).to.contain('\nClaude Code      claude mcp add castellan -- node /opt/castellan/main.js');
    expect(entries(text)['Gemini CLI']).to.deep.equal(start);
  });

  it('names the workspace to clients that do not start servers in the project', () => {
    const found = entries(connectHelp('node', ['/opt/castellan/main.js'], '/w'));
    const open = { ...start, env: { CASTELLAN_WORKSPACE: '${workspaceFolder}' } };
    expect(found['Claude Desktop']).to.deep.equal({ ...start, env: { CASTELLAN_WORKSPACE: '/w' } });
    expect(found['VS Code']).to.deep.equal(open);
    expect(found.Cursor).to.deep.equal(open);
  });
});
