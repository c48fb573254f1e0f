import fc from 'fast-check';

export interface CommandLineShape {
  /** With `cd`. */
  readonly directories: boolean;
  /** With `sh -c` and `timeout`. */
  readonly scripts: boolean;
  /** The programs to call. */
  readonly programs?: readonly string[];
  /** Redirections into files and from them. */
  readonly files?: boolean;
}

const SAFE = [
  'a',
  'b',
  'x.txt',
  '-l',
  '--all',
  '-',
  'a=b',
  'a.b',
  'ü',
  '😀',
  'HEAD~1',
  '{}',
  'x@{1}',
  'a}',
  ']',
  '!',
  'if',
  '%s',
  '1',
  'a#b',
  'b:c',
];
const INNER = [
  'a',
  ' ',
  '$x',
  '`id`',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '~',
  ';',
  '|',
  '&',
  '#',
  '<',
  '>',
  '(',
  ')',
  '\\',
  '\n',
  '\t',
  '"',
  'é',
  '!',
  '$(id)',
  'EOF',
  '=',
  '$',
];

const single = fc.array(fc.constantFrom(...INNER), { maxLength: 4 }).map((parts) => `'${parts.join('')}'`);
const double = fc
  .array(fc.constantFrom(...INNER), { maxLength: 4 })
  .map((parts) => `"${parts.join('').replace(/["$`\\]/g, '\\$&')}"`);
const escaped = fc.constantFrom(
  '\\$',
  '\\;',
  '\\ ',
  '\\*',
  '\\"',
  "\\'",
  '\\\\',
  '\\a',
  '\\(',
  '\\~',
  '\\{',
  '\\#',
);
const bare = fc.constantFrom(...SAFE);
const glob = fc.constantFrom(
  '*.txt',
  '?',
  '[ab]',
  '*',
  'x*',
  '"x"*.txt',
  '[!a]*',
  '\\**',
  'nomatch*',
  '"*"?',
  'sub/*',
  '-*',
  '[a-c].t?t',
  'd*/.',
  './*',
);
const joined = fc
  .array(fc.oneof(single, double, escaped, bare), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));
const word = fc.oneof({ weight: 4, arbitrary: bare }, single, double, joined, glob);
const blank = fc.constantFrom(' ', '  ', '\t');

function redirections(files: boolean): fc.Arbitrary<string> {
  // `@` becomes a number of its own, so that no two commands of a line write the same file.
  const target = fc.constantFrom('.out@', "'.out @'", '".out@"', '.out\\ @', 'sub/.out@');
  const plain = fc.constantFrom(
    '2>&1',
    '1>&2',
    '>/dev/null',
    '2>/dev/null',
    '</dev/null',
    '&>/dev/null',
    "<<< 'text $x'",
    '<<<"a b"',
    '<<< w',
  );
  if (!files) return plain;
  const operator = fc.constantFrom('>', '>>', '2>', '1>', '>|', '&>', '&>>', '> ');
  const input = fc.constantFrom('<x.txt', '< a', "0< 'b'", '3<a');
  return fc.oneof(
    plain,
    input,
    fc.tuple(operator, target).map((parts) => parts.join('')),
  );
}

function simpleCommands(shape: CommandLineShape): fc.Arbitrary<string> {
  const program = fc.constantFrom(...(shape.programs ?? ['ls', 'grep', 'cat', "'ls'", 'l"s"', 'x.sh']));
  const redirect = redirections(shape.files ?? true);
  const suffix = fc.array(fc.oneof({ weight: 4, arbitrary: word }, redirect), { maxLength: 5 });
  const plain = fc.tuple(program, suffix, blank).map(([name, parts, gap]) => [name, ...parts].join(gap));
  const wrapped = fc
    .tuple(fc.constantFrom('timeout 9 ', 'env LC_ALL=C ', 'nice -n 1 '), plain)
    .map((parts) => parts.join(''));
  return shape.scripts ? fc.oneof({ weight: 5, arbitrary: plain }, wrapped) : plain;
}

const folder = fc.constantFrom('sub', "'d d'", 'sub/deep', './sub', 'sub/../sub', '"sub"');

/** Lines of the static subset, nested at most twice; with `directories` some leave the folder unknown. */
export function commandLines(shape: CommandLineShape): fc.Arbitrary<string> {
  const simple = simpleCommands(shape);
  const inner = listOf(simple);
  const nested = listOf(fc.oneof({ weight: 3, arbitrary: simple }, grouped(shape, inner)));
  const line = listOf(
    fc.oneof(
      { weight: 8, arbitrary: simple },
      { weight: 2, arbitrary: grouped(shape, inner) },
      grouped(shape, nested),
    ),
  );
  if (!shape.directories) return line;
  const entering = fc.tuple(folder, fc.constantFrom(' && ', '; ', '\n'), line);
  return fc.oneof(
    { weight: 2, arbitrary: line },
    entering.map(([to, join, rest]) => `cd ${to}${join}${rest}`),
  );
}

function listOf(command: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const piped = fc.tuple(command, command).map((parts) => parts.join(' | '));
  const pipe = fc.oneof({ weight: 3, arbitrary: command }, piped);
  const unit = fc.tuple(fc.constantFrom('', '', '', '', '! '), pipe).map((parts) => parts.join(''));
  const operator = fc.constantFrom(' && ', ' || ', '; ', '\n', '&&', ';', ' &&\n');
  return fc
    .tuple(unit, fc.array(fc.tuple(operator, unit), { maxLength: 1 }))
    .map(([first, rest]) => first + rest.map((part) => part.join('')).join(''));
}

function grouped(shape: CommandLineShape, line: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const redirect = redirections(shape.files ?? true);
  return fc.oneof(
    fc.tuple(line, redirect).map(([body, after]) => `(${spaced(body)}) ${after}`),
    line.map((body) => `{ ${body}; }`),
    ...(shape.directories ? [fc.tuple(folder, line).map(([to, body]) => `(cd ${to} && ${body})`)] : []),
    ...(shape.scripts
      ? [
          fc
            .tuple(fc.constantFrom('', '', 'timeout 9 '), line)
            .map(([wrapper, body]) => `${wrapper}bash -c '${body.replaceAll("'", "'\\''")}'`),
        ]
      : []),
  );
}

function spaced(body: string): string {
  return body.startsWith('(') ? ` ${body}` : body;
}
