/** Contexts in which a piece of code may be meant: as a call, a statement, a member. */
const PLACES: Readonly<Record<string, readonly ((code: string) => string)[]>> = {
  go: [
    (code) => `package p\n\nfunc f() {\n${code}\n}\n`,
    (code) => `package p\n\n${code}\n`,
    (code) => `package p\n\nvar v = ${code}\n`,
  ],
  java: [
    (code) => `class A { void f() { ${code}; } }`,
    (code) => `class A { Object v = ${code}; }`,
    (code) => `class A { ${code} }`,
  ],
  python: [(code) => `def f():\n    ${code.replaceAll('\n', '\n    ')}\n`, (code) => `x = ${code}\n`],
};
const SCRIPT: readonly ((code: string) => string)[] = [
  (code) => `async function f() {\n${code}\n}\n`,
  (code) => `class A {\n${code}\n}\n`,
  (code) => `const v = ${code};\n`,
];

/** Programs in which a syntax pattern must find itself, if it can find anything at all. */
export function samplesOf(pattern: string, language: string): readonly string[] {
  const code = pattern.replace(/\$\$\$[A-Z_][A-Z0-9_]*|\$\$\$/g, 'a').replace(/\$[A-Z_][A-Z0-9_]*/g, 'a');
  const places = Object.hasOwn(PLACES, language) ? PLACES[language] : undefined;
  const programs = (places ?? SCRIPT).map((place) => place(code));
  // In Go and Java a statement alone is not a program: parsed that way, it finds only itself.
  return language === 'go' || language === 'java' ? programs : [code, ...programs];
}
