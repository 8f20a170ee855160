#!/usr/bin/env bash
# Which module may import which: dependencies point one way, from the Laws upwards. Fails at the first arrow the other
# way. Test code may import what it likes only within its own module's arrows, so it is checked too.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A may_import=(
    [law]=""
    [clock]=""
    [statistics]=""
    [platform]=""
    [openings]="law"
    [sparring]="law"
    [judge]="law exit_code"
    [engine]="law platform"
    [config]="law clock statistics"
    [game]="law clock engine openings"
    [tournament]="law clock engine game openings platform statistics"
    [records]="law clock config engine game tournament openings statistics"
    [report]="law engine game tournament openings statistics"
    [control]="config game platform tournament"
    [exit_code]=""
    [signal]="platform tournament"
)

status=0
for path in src/*; do
    module=$(basename "$path" .rs)
    case "$module" in lib | main | cli) continue ;; esac
    if [ -z "${may_import[$module]+known}" ]; then
        echo "layers: src/$module is not in the table of scripts/layers.sh" >&2
        status=1
        continue
    fi
    while IFS=: read -r file line import; do
        imported=${import#crate::}
        [ "$imported" = "$module" ] && continue
        case " ${may_import[$module]} " in
        *" $imported "*) ;;
        *)
            echo "$file:$line: $module may not import $imported" >&2
            status=1
            ;;
        esac
    done < <(grep -rHnoE 'crate::[a-z_]+' "$path" --include='*.rs' | sort -u)
done

# The Laws, the clocks and the statistics know no I/O, no runtime and no system clock.
if grep -rnE 'std::(io|fs|env|net|process|thread)|tokio|tracing|Instant|SystemTime' src/law src/clock src/statistics --include='*.rs' |
    grep -vE '^[^:]+:[0-9]+: *//' | grep -vE 'E0|std::io::Error' >&2; then
    echo "layers: law, clock and statistics are pure" >&2
    status=1
fi
exit "$status"
