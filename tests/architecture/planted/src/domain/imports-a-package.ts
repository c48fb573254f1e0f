import * as Type from 'typebox';

export const planted = Type.String();
