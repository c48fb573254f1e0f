import { expect } from 'chai';
import { Argument, Command, Option } from 'commander';
import { describe, it } from 'mocha';
import { candidates } from '../../../../src/presentation/cli/program/completion.js';
import { completionScript } from '../../../../src/presentation/cli/program/completion-scripts.js';

function sample(): Command {
  const program = new Command('castellan').option('--policy <file>').helpCommand(false);
  program.configureHelp({ showGlobalOptions: true });
  program.command('call').argument('<tool>').argument('[json]').option('--json');
  program.command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
  program.command('init').addOption(new Option('--profile <name>').choices(['readonly', 'workspace']));
  const policy = program.command('policy').helpCommand(false);
  policy.command('check').argument('[file]');
  policy.command('explain').argument('<tool>');
  program.command('__complete', { hidden: true });
  return program;
}

const tools = async () => ['echo', 'edit_file', 'read_file'];
const complete = (...words: string[]) => candidates(sample(), words, tools);

describe('completion', () => {
  it('offers commands, those below them, tools, choices and options by what is begun', async () => {
    expect(await complete('')).to.deep.equal(['call', 'completion', 'init', 'policy']);
    expect(await complete('c')).to.deep.equal(['call', 'completion']);
    expect(await complete('policy', '')).to.deep.equal(['check', 'explain']);
    expect(await complete('call', 'e')).to.deep.equal(['echo', 'edit_file']);
    expect(await complete('policy', 'explain', 'r')).to.deep.equal(['read_file']);
    expect(await complete('completion', '')).to.deep.equal(['bash', 'zsh']);
    expect(await complete('init', '--profile', 'r')).to.deep.equal(['readonly']);
    expect(await complete('call', '--j')).to.deep.equal(['--json']);
    expect(await complete('call', '--p')).to.deep.equal(['--policy']);
  });

  it('leaves files to the shell, and does not take the value of an option for a command', async () => {
    expect(await complete('policy', 'check', '')).to.deep.equal([]);
    expect(await complete('--policy', '')).to.deep.equal([]);
    expect(await complete('--policy', 'call', 'po')).to.deep.equal(['policy']);
    expect(await complete('call', 'echo', '')).to.deep.equal([]);
  });

  it('has a script for three shells and for no other', () => {
    for (const shell of ['bash', 'zsh', 'fish']) expect(completionScript(shell)).to.contain('__complete');
    expect(completionScript('cmd')).to.equal(undefined);
  });
});
