import type { Picture } from './picture.js';

/** The pictures of docs/pictures, by the names of their files. */
export const PICTURES: Readonly<Record<string, Picture>> = {
  'way-of-a-call': {
    title:
      'The way of a call: the client, validation, the policy, a person if one has to agree, the tool in its sandbox, the audit log',
    columns: 4,
    boxes: {
      client: { row: 0, column: 0, kind: 'outside', lines: ['Client', 'tools/call'] },
      checked: { row: 0, column: 1, lines: ['Arguments checked', 'types, sizes, depth'] },
      policy: { row: 0, column: 2, lines: ['Policy', 'deny, ask or allow'] },
      person: { row: 0, column: 3, kind: 'outside', lines: ['Person', 'asked if the policy says so'] },
      refused: { row: 1, column: 1, kind: 'bad', lines: ['Refused', 'reason, and what would allow it'] },
      limits: { row: 1, column: 2, lines: ['Limits', 'rate, concurrency, breaker'] },
      tool: {
        row: 2,
        column: 2,
        kind: 'good',
        lines: ['Tool', 'files by descriptor,', 'commands in the sandbox'],
      },
      audit: { row: 2, column: 1, lines: ['Audit log', 'every call, sealed'] },
      answer: { row: 2, column: 0, kind: 'outside', lines: ['Client', 'result or refusal'] },
    },
    arrows: [
      { from: 'client', to: 'checked' },
      { from: 'checked', to: 'policy' },
      { from: 'policy', to: 'person', label: 'ask' },
      { from: 'checked', to: 'refused', label: 'wrong' },
      { from: 'policy', to: 'refused', label: 'deny' },
      { from: 'policy', to: 'limits', label: 'allow' },
      { from: 'person', to: 'limits', label: 'says yes' },
      { from: 'limits', to: 'tool' },
      { from: 'limits', to: 'refused' },
      { from: 'tool', to: 'audit' },
      { from: 'refused', to: 'audit' },
      { from: 'audit', to: 'answer' },
    ],
  },
  'way-of-a-connection': {
    title:
      'The way of a connection: a command asks for a name, gets an address of the loopback, connects to it; the server judges host, port and first bytes, looks the name up outside, checks the address and connects',
    columns: 4,
    boxes: {
      command: { row: 0, column: 0, kind: 'outside', lines: ['Command', 'no route leads out'] },
      names: { row: 0, column: 1, lines: ['Names', 'listed: 127.64.0.1', 'others: do not exist'] },
      judge: { row: 0, column: 2, lines: ['Judge', 'host and port listed?', 'handshake, Host fit?'] },
      address: { row: 0, column: 3, lines: ['Address', 'looked up once,', 'public or listed?'] },
      refused: { row: 1, column: 1, kind: 'bad', lines: ['Refused', 'named in the result'] },
      relay: { row: 1, column: 3, kind: 'good', lines: ['Connection', 'to the checked address'] },
      audit: { row: 1, column: 2, lines: ['Audit log', 'host, port, bytes'] },
    },
    arrows: [
      { from: 'command', to: 'names', label: 'asks' },
      { from: 'names', to: 'judge', label: 'connects' },
      { from: 'judge', to: 'address', label: 'yes' },
      { from: 'names', to: 'refused' },
      { from: 'address', to: 'relay', label: 'yes' },
      { from: 'relay', to: 'audit' },
      { from: 'refused', to: 'audit' },
    ],
  },
  'git-airlock': {
    title:
      'Git behind the airlock: commands write in a git folder of their own, a carrier in a sandbox checks and carries data to and from the .git of the user, whose git runs no code of a command',
    columns: 3,
    boxes: {
      agent: { row: 0, column: 0, lines: ['Commands of an agent', 'git commit, rebase, config …'] },
      carrier: { row: 1, column: 1, lines: ['Carrier, in a sandbox', 'checks, then carries data'] },
      user: { row: 0, column: 2, kind: 'outside', lines: ['You and your tools', 'git, IDE'] },
      inside: {
        row: 1,
        column: 0,
        kind: 'bad',
        lines: ["The commands' git folder", 'seen by them as .git', 'anything goes'],
      },
      real: { row: 1, column: 2, kind: 'good', lines: ['Your .git', 'commands only read it'] },
      stays: {
        row: 2,
        column: 1,
        kind: 'bad',
        lines: ['Stays inside, told once', 'hooks, filters, includes,', 'aliases, paths as remotes'],
      },
      tree: { row: 3, column: 0, span: 3, lines: ['Working tree', 'one, shared by both'] },
    },
    arrows: [
      { from: 'agent', to: 'inside', label: 'write' },
      { from: 'user', to: 'real', label: 'write' },
      { from: 'inside', to: 'carrier' },
      { from: 'carrier', to: 'real', label: 'data' },
      { from: 'carrier', to: 'stays', label: 'code' },
    ],
  },
  'decision-flow': {
    title:
      'How the policy decides: a deny refuses, a rule that asks asks, an allow allows, and what nothing allows is refused',
    columns: 4,
    boxes: {
      denied: { row: 0, column: 0, lines: ['Does a rule deny it?', 'any layer, any rule'] },
      allowed: { row: 0, column: 1, lines: ['Does a rule allow it?', 'every path, program, host'] },
      asks: { row: 0, column: 2, lines: ['Has a person to agree?'] },
      runs: { row: 0, column: 3, kind: 'good', lines: ['It runs'] },
      byDeny: { row: 1, column: 0, kind: 'bad', lines: ['Refused', 'DENIED_…, PROTECTED'] },
      byNothing: { row: 1, column: 1, kind: 'bad', lines: ['Refused', 'NO_ALLOW'] },
      question: { row: 1, column: 2, lines: ['The person is asked'] },
      byPerson: { row: 1, column: 3, kind: 'bad', lines: ['Refused', 'CONSENT_REQUIRED'] },
    },
    arrows: [
      { from: 'denied', to: 'allowed', label: 'no' },
      { from: 'allowed', to: 'asks', label: 'yes' },
      { from: 'asks', to: 'runs', label: 'no' },
      { from: 'denied', to: 'byDeny', label: 'yes' },
      { from: 'allowed', to: 'byNothing', label: 'no' },
      { from: 'asks', to: 'question', label: 'yes' },
      { from: 'question', to: 'byPerson', label: 'says no' },
      { from: 'question', to: 'runs', label: 'says yes' },
    ],
  },
  'policy-layers': {
    title:
      'Policy layers: a ceiling narrows everything; a named or trusted project policy builds on the user policy and a built-in profile; an untrusted one only narrows',
    columns: 3,
    boxes: {
      ceiling: {
        row: 0,
        column: 0,
        span: 3,
        kind: 'bad',
        lines: ['Ceiling (--ceiling)', 'can only narrow what the layers below grant'],
      },
      named: {
        row: 1,
        column: 0,
        kind: 'good',
        lines: ['Named policy', '--policy, CASTELLAN_POLICY', 'grants and narrows'],
      },
      trusted: {
        row: 1,
        column: 1,
        kind: 'good',
        lines: ['Found and trusted', 'permissions.yaml', 'grants and narrows'],
      },
      found: {
        row: 1,
        column: 2,
        kind: 'bad',
        lines: ['Found, not trusted', 'came with a clone, or was edited', 'only narrows'],
      },
      user: {
        row: 2,
        column: 0,
        span: 3,
        lines: ['Your own policy', '~/.config/castellan/permissions.yaml'],
      },
      builtin: {
        row: 3,
        column: 0,
        span: 3,
        lines: ['Built-in profile', 'builtin:baseline, builtin:readonly or builtin:workspace'],
      },
    },
    arrows: [
      { from: 'named', to: 'user', label: 'extends' },
      { from: 'trusted', to: 'user', label: 'extends' },
      { from: 'found', to: 'user', label: 'narrows' },
      { from: 'user', to: 'builtin', label: 'extends' },
    ],
  },
  'what-a-command-sees': {
    title:
      'What a command sees: the project and a private /tmp are writable, the system and protected files are read-only, secrets cannot be opened, the rest is not there',
    columns: 4,
    boxes: {
      command: { row: 0, column: 0, span: 4, lines: ['A command in the sandbox of builtin:workspace'] },
      write: {
        row: 1,
        column: 0,
        kind: 'good',
        lines: ['Read and write', 'the project', '/tmp and home of the session'],
      },
      read: {
        row: 1,
        column: 1,
        lines: ['Read only', 'programs and libraries', 'files that others obey:', '.vscode, CLAUDE.md, CI'],
      },
      masked: {
        row: 1,
        column: 2,
        kind: 'bad',
        lines: ['Cannot be opened', 'secrets in the project:', '.env*, keys, denied_paths'],
      },
      absent: {
        row: 1,
        column: 3,
        kind: 'outside',
        lines: ['Not there', 'your home, other projects,', 'other processes,', 'the network'],
      },
    },
    arrows: [
      { from: 'command', to: 'write' },
      { from: 'command', to: 'read' },
      { from: 'command', to: 'masked' },
      { from: 'command', to: 'absent' },
    ],
  },
  'http-topologies': {
    title: 'Over HTTP: one instance with files of its own, or several behind a proxy that share Redis',
    columns: 3,
    boxes: {
      clients: { row: 0, column: 0, kind: 'outside', lines: ['Clients', 'token, key or access token'] },
      one: { row: 0, column: 1, kind: 'good', lines: ['One instance', '/mcp on 127.0.0.1:7337'] },
      state: { row: 0, column: 2, lines: ['State folder', 'audit, flags, processes'] },
      many: { row: 1, column: 0, kind: 'outside', lines: ['Clients'] },
      proxy: { row: 1, column: 1, kind: 'outside', lines: ['Proxy', 'TLS; any instance may answer'] },
      first: { row: 1, column: 2, kind: 'good', lines: ['Instances 1 … n', 'each with its own sandboxes'] },
      redis: { row: 2, column: 2, lines: ['Redis', 'sessions, limits, flags'] },
    },
    arrows: [
      { from: 'clients', to: 'one' },
      { from: 'one', to: 'state' },
      { from: 'many', to: 'proxy' },
      { from: 'proxy', to: 'first' },
      { from: 'first', to: 'redis' },
    ],
  },
};
