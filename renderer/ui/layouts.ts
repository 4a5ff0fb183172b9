// How texts are laid out where there is a choice: for `Segmented`.

export type DiffLayout = 'side' | 'inline';

export const DIFF_LAYOUTS: readonly { readonly value: DiffLayout; readonly title: string }[] = [
  { value: 'side', title: 'Side by side' },
  { value: 'inline', title: 'Inline' },
];

export type JsonLayout = 'pretty' | 'exact';

export const JSON_LAYOUTS: readonly { readonly value: JsonLayout; readonly title: string }[] = [
  { value: 'pretty', title: 'Indented' },
  { value: 'exact', title: 'Exact text' },
];
