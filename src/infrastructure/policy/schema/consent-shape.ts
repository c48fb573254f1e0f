import { CONSENT_MODES, type ConsentTerms } from '../../../domain/permission/consent/consent.js';
import { byKind, choice, mapped, record, type Shape, text } from '../../config/yaml-shape.js';
import { duration } from '../../config/yaml-units.js';

interface ConsentFields {
  mode?: ConsentTerms['mode'];
  phrase?: string;
  remember?: number;
  expires?: number;
}

export const consent: Shape<ConsentTerms> = byKind<ConsentTerms>(
  'never, ask, always, explicit, or a map with mode',
  {
    scalar: mapped(choice(...CONSENT_MODES), (mode, at, reading) => ({ mode, at: reading.position(at) })),
    map: mapped(
      record<ConsentFields>(
        'a consent map',
        { mode: choice(...CONSENT_MODES), phrase: text, remember: duration, expires: duration },
        ['mode'],
      ),
      ({ mode, phrase, remember, expires }, at, reading) => {
        if (mode === undefined) return undefined;
        if (phrase !== undefined && mode !== 'explicit') {
          return reading.report(at, 'A phrase needs mode: explicit.');
        }
        if (remember !== undefined && mode !== 'ask') return reading.report(at, ...forgetful(mode));
        if (expires !== undefined && mode === 'never') {
          return reading.report(
            at,
            'Nobody is asked, so expires has no effect.',
            'Write mode: ask, or leave it out.',
          );
        }
        return {
          mode,
          ...(phrase !== undefined && { phrase }),
          ...(remember !== undefined && { rememberMs: remember }),
          ...(expires !== undefined && { expiresMs: expires }),
          at: reading.position(at),
        };
      },
    ),
  },
);

export function forgetful(mode: ConsentTerms['mode']): readonly [message: string, hint: string] {
  const why = mode === 'never' ? 'nobody is asked' : `${mode} asks every time`;
  return [
    `remember has no effect: ${why}.`,
    'Write mode: ask (consent: ask at a rule), or leave remember out.',
  ];
}
