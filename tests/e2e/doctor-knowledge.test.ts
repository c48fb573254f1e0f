import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';

const adr = (title: string, status: string, decision: string) =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\n${decision}\n`;

describe('castellan doctor on the files that agents are served', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
    project.write(
      'castellan.yaml',
      'categories: { adr: { dir: adr }, patterns: { dir: patterns } }\nprompts: { dir: prompts }\n',
    );
  });
  afterEach(() => project.remove());

  const doctor = async () => {
    const config = project.path('castellan.yaml');
    const { stdout } = await project.run(['doctor', '--config', config]);
    return stdout;
  };

  it('finds nothing wrong where nothing is', async () => {
    project.write('adr/0001-a.md', adr('1. Broker', 'Accepted', 'We use Kafka.'));
    expect(await doctor())
      .to.match(/ok +decisions +nothing wrong/)
      .and.match(/ok +patterns +nothing wrong/)
      .and.match(/ok +prompts +nothing wrong/);
  });

  it('shows dangling links and circles of decision records with file and line', async () => {
    project.write('adr/0001-a.md', adr('1. Broker', 'Superseded by [9](0009-gone.md)', 'We use Kafka.'));
    project.write('adr/0002-b.md', adr('2. Cache', 'Superseded by [3](0003-c.md)', 'We use Redis.'));
    project.write('adr/0003-c.md', adr('3. Cache', 'Superseded by [2](0002-b.md)', 'We use Redis.'));
    const said = await doctor();
    expect(said).to.match(/warn +decisions/);
    expect(said).to.match(/adr\/0001-a\.md:5: .*there is no such record/);
    expect(said).to.match(/adr\/0002-b\.md:5: .*superseded in a circle/);
  });

  it('shows prompts that are wrong or refer to nothing, and rules that fail their own examples', async () => {
    const message = (text: string) => [{ role: 'user', content: { type: 'text', text } }];
    project.write('prompts/broken.json', "{ 'name': 1 }");
    project.write(
      'prompts/loose.json',
      JSON.stringify({
        name: 'loose',
        description: 'Say it.',
        messages: message('{{tool:nothing}} {{resource:architecture://patterns/none}} {{nobody}}'),
      }),
    );
    project.write(
      'patterns/p.md',
      "---\nrules:\n  - { id: r, message: No, regex: 'a', examples: { good: ['a'] } }\n---\n# P\n",
    );
    const said = await doctor();
    expect(said).to.match(/broken\.json:1:3: Not valid JSON/);
    expect(said).to.match(/loose\.json:1:\d+: \{\{tool:nothing\}\} names no tool/);
    expect(said).to.match(
      /loose\.json:1:\d+: \{\{resource:architecture:\/\/patterns\/none\}\} names no resource/,
    );
    expect(said).to.match(/loose\.json:1:\d+: \{\{nobody\}\} is not an argument/);
    expect(said).to.match(/patterns\/p\.md: r: It finds something in its good example/);
  });
});
