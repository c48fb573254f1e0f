import { expect } from 'chai';
import {
  isRedactionPlaceholder,
  redactionPlaceholder,
} from '../../../src/domain/redaction/redaction-placeholder.js';
import {
  builtinRedactor,
  createRedactor,
  type RedactionOptions,
} from '../../../src/infrastructure/observability/redaction.js';
import { SwitchableRedactor } from '../../../src/infrastructure/observability/switchable-redactor.js';

const JWT = `eyJ${'hbGciOiJI'.repeat(2)}.eyJ${'zdWIiOiIx'.repeat(2)}.${'SflKxwRJ'.repeat(4)}`;
const SECRETS: Readonly<Record<string, string>> = {
  'an AWS key id': `AKIA${'ABCDEFGH12345678'}`,
  'an AWS secret key': `aws_secret_access_key = ${'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEX'}AMPLEKEY`,
  'a GitHub token': `ghp_${'a1B2c3D4'.repeat(5)}`,
  'a fine-grained GitHub token': `github_pat_${'11AAAAAAA0'.repeat(4)}`,
  'a Slack token': `xoxb-${'123456789012'}-abcdefabcdef`,
  'a JSON web token': JWT,
  'a private key': `-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc\n-----END RSA PRIVATE KEY-----`,
  'a private key without its end': '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA',
  'a bearer token': 'Authorization: Bearer abcdef0123456789abcdef',
  'basic credentials': 'Authorization: Basic dXNlcjpwYXNz',
  'userinfo in an address': 'postgres://admin:s3cr3t@db.example.com/x',
  'a token as user': `https://${'x0y1z2'.repeat(5)}@github.com/a/b`,
  'an Anthropic key': `sk-ant-api03-${'Ab1_'.repeat(10)}`,
  'an OpenAI key': `sk-proj-${'Ab1-'.repeat(10)}`,
  'an npm token': `npm_${'a1B2c3'.repeat(6)}`,
  'an npmrc line': '//registry.example.com/:_authToken=0123456789abcdef',
  'an assignment': 'DB_PASSWORD=correct-horse',
  'an option': 'mysql --password hunter22 --host db',
  'a cookie': 'Cookie: session=abc123; theme=dark',
};
/** The part of each that must not be seen. */
const HIDDEN =
  /ABCDEFGH12345678|wJalr|a1B2c3|11AAAA|abcdefabcdef|hbGciOiJI|MIIEp|b3Blb|abcdef0123456789|dXNlcjpwYXNz|s3cr3t|x0y1z2|Ab1|0123456789abcdef|correct-horse|hunter22|abc123/;

describe('Redaction of logs', () => {
  for (const [what, secret] of Object.entries(SECRETS)) {
    it(`S3-18: takes out ${what}, in the middle of a text`, () => {
      const clean = builtinRedactor.text(`before "${secret}" after`);
      expect(clean).to.not.match(HIDDEN);
      expect(isRedactionPlaceholder(clean)).to.equal(true);
      expect(clean).to.include('before');
    });
  }

  it('leaves ordinary text alone', () => {
    for (const text of [
      'hello world',
      'https://example.com/a?b=c@d',
      'git@github.com:a/b.git',
      'ssh://git@github.com/a/b',
      'task-force-with-a-very-long-name-indeed',
      'a basic understanding of bearer authentication',
      'the token expires; keep the secret santa list',
      'const tokens = count;',
      'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      '-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----',
    ]) {
      expect(builtinRedactor.text(text)).to.equal(text);
    }
  });

  it('takes out values under telling names, in any case and of any type', () => {
    const clean = builtinRedactor.value({
      Password: 'a',
      'x-api-key': 1,
      ACCESS_TOKEN: { nested: 'b' },
      cookie: ['c'],
      items: [{ authorization: 'd' }, { path: 'e' }],
      input_tokens: 5,
      passed: true,
      author: 'me',
    });
    const hidden = redactionPlaceholder('name');
    expect(clean).to.deep.equal({
      Password: hidden,
      'x-api-key': hidden,
      ACCESS_TOKEN: hidden,
      cookie: hidden,
      items: [{ authorization: hidden }, { path: 'e' }],
      input_tokens: 5,
      passed: true,
      author: 'me',
    });
  });

  it('does not redact twice', () => {
    for (const secret of Object.values(SECRETS)) {
      const once = builtinRedactor.text(secret);
      expect(builtinRedactor.text(once)).to.equal(once);
    }
  });

  it('takes linear time on texts made to slow it down', () => {
    const seeds = [
      'eyJ',
      'eyJaaaaaaaaaa.',
      'eyJaaaaaaaaaa.eyJ',
      'sk-',
      'sk-a',
      'ghp_',
      '://',
      '://a:',
      '://a:b',
      'bearer ',
      'bearer a',
      'bearer',
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN A',
      'password',
      'password=',
      'password =  ',
      'token: ',
      'authorization: bearer ',
      'cookie:',
      'npm_',
      ':_auth=',
      ':_authToken =  ',
      'xoxb-',
      'hooks.slack.com/services/',
      'secret_access_key',
      'AKIA',
      '--token ',
      ' ',
      'a',
      'A',
      '-',
    ];
    // A megabyte each: read in the square of its length, one of them would take the minutes that no test has.
    for (const seed of seeds) {
      const text = seed.repeat(Math.ceil(1_000_000 / seed.length));
      expect(builtinRedactor.text(text), JSON.stringify(seed)).to.be.a('string');
    }
  });
});

describe('Redaction that a policy describes', () => {
  const redactor = async (options: RedactionOptions) => {
    const made = await createRedactor(options);
    if (!made.success) throw new Error(made.error);
    return made.value;
  };

  it('uses the patterns of the policy, with its replacement in logs', async () => {
    const patterns = [{ name: 'employee-id', regex: 'EMP-[0-9]{6}', replace: '[employee $0]' }];
    expect((await redactor({ purpose: 'log', patterns })).text('by EMP-123456.')).to.equal(
      'by [employee $0].',
    );
  });

  it('puts a placeholder that write tools refuse into results, whatever the policy says', async () => {
    const patterns = [{ name: 'Employee id', regex: 'EMP-[0-9]{6}', replace: '[employee]' }];
    const clean = (await redactor({ purpose: 'result', patterns })).text('by EMP-123456.');
    expect(clean).to.equal('by [castellan-redacted:employee-id].');
    expect(isRedactionPlaceholder(clean)).to.equal(true);
  });

  it('uses only the built-in shapes that are named, and no guesses in results', async () => {
    const github = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const some = await redactor({ purpose: 'result', builtin: ['aws'] });
    expect(some.text(github)).to.equal(github);
    expect(some.text('const password = readPassword();')).to.equal('const password = readPassword();');
  });

  it('names every problem at once: unknown shapes, look-around, backreferences, what matches nothing', async () => {
    const failed = await createRedactor({
      purpose: 'log',
      builtin: ['githup'],
      patterns: [
        { name: 'ahead', regex: 'a(?=b)' },
        { name: 'back', regex: '(a)\\1' },
        { name: 'open', regex: '(' },
        { name: 'empty', regex: 'a*' },
      ],
    });
    if (failed.success) throw new Error('it should have failed');
    const lines = failed.error.split('\n');
    expect(lines.map((line) => line.split(':')[0])).to.deep.equal([
      'redaction.builtin',
      'redaction.patterns ahead',
      'redaction.patterns back',
      'redaction.patterns open',
      'redaction.patterns empty',
    ]);
    expect(lines[1]).to.include('linear-time');
  });

  it('takes linear time with an expression that would ruin a backtracking engine', async () => {
    const bad = await redactor({ purpose: 'log', patterns: [{ name: 'bad', regex: '(x+x+)+y' }] });
    // A backtracking engine would not come to an end with forty of them.
    const text = 'x'.repeat(8000);
    expect(bad.text(text)).to.equal(text);
  });

  it('can be exchanged while others hold on to it', async () => {
    const held = new SwitchableRedactor();
    expect(held.text('EMP-123456')).to.equal('EMP-123456');
    held.use(await redactor({ purpose: 'log', patterns: [{ name: 'e', regex: 'EMP-[0-9]+' }] }));
    expect(held.text('EMP-123456')).to.equal('[castellan-redacted:e]');
    expect(held.value({ a: 'EMP-1' })).to.deep.equal({ a: '[castellan-redacted:e]' });
  });
});
