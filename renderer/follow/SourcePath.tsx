import { Seen } from '../ui/Seen.tsx';

/** A path, cut at its beginning where there is no room: its end says more. */
export function SourcePath({ path }: { readonly path: string }) {
  return (
    <span className="source-path ellipsis mono" title={path}>
      <bdi>
        <Seen text={path} />
      </bdi>
    </span>
  );
}
