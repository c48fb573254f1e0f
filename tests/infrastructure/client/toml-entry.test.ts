import { expect } from 'chai';
import { describe, it } from 'mocha';
import { withoutTomlEntry, withTomlEntry } from '../../../src/infrastructure/client/toml-entry.js';

const place = { file: 'config.toml', under: 'mcp_servers', name: 'castellan' };
const entry = { command: 'node', args: ['/c d.js', 'x"y'] };
const BLOCK = '[mcp_servers.castellan]\ncommand = "node"\nargs = ["/c d.js", "x\\"y"]\n';

function added(text: string): string {
  const result = withTomlEntry(text, place, entry);
  if (!result.success) throw new Error(result.error);
  return result.value;
}

function removed(text: string): string {
  const result = withoutTomlEntry(text, place);
  if (!result.success) throw new Error(result.error);
  return result.value;
}

const OTHERS = `# mine
model = "x"
note = """
[mcp_servers.castellan]
not a table
"""
matrix = [
  ["a"],
  [ "b" ]
]

[mcp_servers.other] # keep
command = "y"
`;

describe("an entry in a client's TOML", () => {
  it('is put at the end, once, and goes without a trace', () => {
    expect(added('')).to.equal(BLOCK);
    const after = added(OTHERS);
    expect(after).to.equal(`${OTHERS}\n${BLOCK}`);
    expect(added(after)).to.equal(after);
    expect(removed(after)).to.equal(OTHERS);
    expect(removed(OTHERS)).to.equal(OTHERS);
    expect(added('model = "x"')).to.equal(`model = "x"\n\n${BLOCK}`);
  });

  it('replaces what is ours in it and keeps what somebody added', () => {
    const text = `a = 1\n[mcp_servers.castellan]\ncommand = "old"\nargs = [\n  "one",\n  "two",\n]\n# slow disk\nstartup_timeout_sec = 30\n\n[z]\nb = 2\n`;
    expect(added(text)).to.equal(`a = 1\n${BLOCK}# slow disk\nstartup_timeout_sec = 30\n\n[z]\nb = 2\n`);
    expect(removed(text)).to.equal('a = 1\n[z]\nb = 2\n');
  });

  it('takes the tables below it along', () => {
    expect(removed(`${BLOCK}[mcp_servers.castellan.env]\nA = "1"\n[z]\n`)).to.equal('[z]\n');
  });

  it('does not rewrite tables that are written in other ways', () => {
    for (const text of [
      'mcp_servers = { castellan = { command = "x" } }\n',
      'mcp_servers.castellan = { command = "x" }\n',
      '[mcp_servers]\ncastellan = { command = "x" }\n',
      '[mcp_servers]\ncastellan.command = "x"\n',
    ]) {
      expect(withTomlEntry(text, place, entry).success, text).to.equal(false);
      expect(withoutTomlEntry(text, place).success, text).to.equal(false);
    }
    expect(withTomlEntry('[mcp_servers]\nother = { command = "x" }\n', place, entry).success).to.equal(true);
  });
});
