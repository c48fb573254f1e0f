import {
  ASKING_MODES,
  CONSENT_MODES,
  type ConsentMode,
  type ConsentTerms,
} from '../../../domain/permission/consent/consent.js';
import { CONSENT_WAYS, type ConsentWay } from '../../../domain/permission/consent/consent-way.js';
import { setOf } from '../../config/distinct-list-shape.js';
import { byKind, choice, described, mapped, record, type Shape, text } from '../../config/yaml-shape.js';
import { duration } from '../../config/yaml-units.js';

interface ConsentFields {
  mode?: ConsentTerms['mode'];
  phrase?: string;
  remember?: number;
  expires?: number;
  via?: readonly ConsentWay[];
}

/** In a rule, and for every tool: what one rule refuses stands in a list of denies. */
export const consent = consentOf('never, ask, always, explicit, or a map with mode', [
  'never',
  ...ASKING_MODES,
]);

/** At the entry of a tool. */
export const toolConsent = consentOf('never, ask, always, explicit, deny, or a map with mode', CONSENT_MODES);

function consentOf(wants: string, modes: readonly ConsentMode[]): Shape<ConsentTerms> {
  return byKind<ConsentTerms>(wants, {
    scalar: mapped(choice(...modes), (mode, at, reading) => ({ mode, at: reading.position(at) })),
    map: mapped(
      record<ConsentFields>(
        'a consent map',
        {
          mode: choice(...modes),
          phrase: text,
          remember: duration,
          expires: duration,
          via: described('The only ways to ask, of those in the settings.', setOf(choice(...CONSENT_WAYS))),
        },
        ['mode'],
      ),
      ({ mode, phrase, remember, expires, via }, at, reading) => {
        if (mode === undefined) return undefined;
        if (phrase !== undefined && mode !== 'explicit') {
          return reading.report(at, 'A phrase needs mode: explicit.');
        }
        if (remember !== undefined && mode !== 'ask') return reading.report(at, ...forgetful(mode));
        if (expires !== undefined && (mode === 'never' || mode === 'deny')) {
          return reading.report(
            at,
            'Nobody is asked, so expires has no effect.',
            'Write mode: ask, or leave it out.',
          );
        }
        if (via !== undefined && (mode === 'never' || mode === 'deny'))
          return reading.report(
            at,
            'Nobody is asked, so via has no effect.',
            'Write mode: ask, or leave it out.',
          );
        if (via?.length === 0)
          return reading.report(at, 'An empty list leaves no way to ask.', 'Name one, or write mode: deny.');
        return {
          mode,
          ...(phrase !== undefined && { phrase }),
          ...(remember !== undefined && { rememberMs: remember }),
          ...(expires !== undefined && { expiresMs: expires }),
          ...(via !== undefined && { via }),
          at: reading.position(at),
        };
      },
    ),
  });
}

export function forgetful(mode: ConsentTerms['mode']): readonly [message: string, hint: string] {
  const why = mode === 'never' || mode === 'deny' ? 'nobody is asked' : `${mode} asks every time`;
  return [
    `remember has no effect: ${why}.`,
    'Write mode: ask (consent: ask at a rule), or leave remember out.',
  ];
}
