import '../status/status.css';
import type { PageAbout } from '../../core/page/types.ts';
import { useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { shortHash } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

/** What the figures are of, under which policy, and which program wrote the page. */
export function PageFoot({ about }: { readonly about: PageAbout }) {
  const sent = useSentWords();
  const tokenizer = useAppState((state) => state.session.info?.tokenizerLabel ?? null);
  const { scrub } = about;
  return (
    <footer className="status num" data-testid="page-foot">
      <span className="mono" title={`Prefix hash ${about.prefixHash}`}>
        {shortHash(about.prefixHash)}
      </span>
      {sent && <span className="status-sent ellipsis">{sent.title}</span>}
      <span className="ellipsis">
        Policy <Seen text={about.policy} />
      </span>
      {tokenizer && <span className="mute nowrap">{tokenizer}</span>}
      {scrub.same_outcome === false && (
        <span className="page-bare">Stand-ins change what the policy decides of some messages.</span>
      )}
      <span className="grow" />
      <span className="mute nowrap">
        Made with Parallax {about.parallax}, {about.createdAt.slice(0, 10)}
      </span>
    </footer>
  );
}
