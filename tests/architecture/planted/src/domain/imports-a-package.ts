import Type from 'typebox';

export const planted = Type.String();
