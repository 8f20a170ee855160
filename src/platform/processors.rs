//! Processors: which ones this process may use, which of them share a core, and threads that keep to some of them.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// Where Linux tells which processors share a core.
pub const SYSTEM_PROCESSORS: &str = "/sys/devices/system/cpu";

/// The system's numbers of some processors, ascending, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessorSet(Vec<usize>);

impl FromIterator<usize> for ProcessorSet {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> ProcessorSet {
        let mut numbers: Vec<usize> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup();
        ProcessorSet(numbers)
    }
}

impl fmt::Display for ProcessorSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&numbers.join(", "))
    }
}

impl ProcessorSet {
    /// The processors on which this thread may run: what containers and the like leave of the machine's.
    ///
    /// # Errors
    /// What the operating system says; more processors than a set holds (1024) are one reason.
    pub fn allowed() -> std::io::Result<ProcessorSet> {
        let set = sched_getaffinity(THIS_THREAD)?;
        Ok((0..CpuSet::count()).filter(|number| set.is_set(*number) == Ok(true)).collect())
    }

    /// Keeps this thread, and every process and thread that it starts from now on, to these processors.
    ///
    /// # Errors
    /// What the operating system says: none of them exists or is allowed.
    pub fn keep_this_thread(&self) -> std::io::Result<()> {
        let mut set = CpuSet::new();
        for number in &self.0 {
            set.set(*number)?;
        }
        Ok(sched_setaffinity(THIS_THREAD, &set)?)
    }

    /// The numbers, ascending.
    pub fn numbers(&self) -> &[usize] {
        &self.0
    }

    /// These processors by the physical core that they belong to; cores of one package stand together. Processors
    /// that the system tells nothing about count as cores of their own.
    pub fn by_core(&self, system: &Path) -> Vec<ProcessorSet> {
        let mut cores: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
        for number in &self.0 {
            cores.entry(core_of(system, *number)).or_default().push(*number);
        }
        cores.into_values().map(ProcessorSet).collect()
    }
}

const THIS_THREAD: Pid = Pid::from_raw(0);

/// The package and the core within it, both in numbers that only serve to compare.
fn core_of(system: &Path, processor: usize) -> (u64, u64) {
    let topology = system.join(format!("cpu{processor}/topology"));
    let text = |name: &str| fs::read_to_string(topology.join(name)).ok();
    let number = |name: &str| text(name).and_then(|text| text.trim().parse::<u64>().ok());
    let package = number("physical_package_id").unwrap_or(0);
    let siblings = text("thread_siblings_list").and_then(|list| first_of(&list));
    // Numbers of cores are unique within a package only, those of siblings everywhere.
    let core = siblings.or_else(|| number("core_id")).unwrap_or(processor as u64);
    (package, core)
}

/// The first number of a list such as `0,4` or `2-3`.
fn first_of(list: &str) -> Option<u64> {
    list.trim().split([',', '-']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree such as the system's: of each processor these files.
    fn system(files: &[(usize, &str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (processor, name, text) in files {
            let topology = dir.path().join(format!("cpu{processor}/topology"));
            fs::create_dir_all(&topology).unwrap();
            fs::write(topology.join(name), format!("{text}\n")).unwrap();
        }
        dir
    }

    fn cores(files: &[(usize, &str, &str)], allowed: &[usize]) -> Vec<String> {
        let set: ProcessorSet = allowed.iter().copied().collect();
        set.by_core(system(files).path()).iter().map(ProcessorSet::to_string).collect()
    }

    #[test]
    fn siblings_are_one_core_however_the_list_is_written() {
        let commas = [0, 1, 2, 3]
            .map(|number| (number, "thread_siblings_list", if number % 2 == 0 { "0,2" } else { "1,3" }));
        assert_eq!(cores(&commas, &[0, 1, 2, 3]), ["0, 2", "1, 3"]);
        let range = [0, 1, 2, 3]
            .map(|number| (number, "thread_siblings_list", if number < 2 { "0-1" } else { "2-3" }));
        assert_eq!(cores(&range, &[0, 1, 2, 3]), ["0, 1", "2, 3"]);
    }

    #[test]
    fn b_17_only_allowed_processors_count() {
        let files = [0, 1, 2, 3]
            .map(|number| (number, "thread_siblings_list", if number % 2 == 0 { "0,2" } else { "1,3" }));
        assert_eq!(cores(&files, &[2, 3]), ["2", "3"]);
    }

    #[test]
    fn cores_of_one_package_stand_together() {
        let files: Vec<(usize, &str, &str)> = [(0, "0"), (1, "1"), (2, "0"), (3, "1")]
            .into_iter()
            .flat_map(|(number, package)| {
                let siblings = ["0", "1", "2", "3"][number];
                [(number, "physical_package_id", package), (number, "thread_siblings_list", siblings)]
            })
            .collect();
        assert_eq!(cores(&files, &[0, 1, 2, 3]), ["0", "2", "1", "3"]);
    }

    #[test]
    fn without_a_list_of_siblings_the_core_counts_within_its_package() {
        let files: Vec<(usize, &str, &str)> = [(0, "0", "0"), (1, "0", "1"), (2, "1", "0"), (3, "0", "0")]
            .into_iter()
            .flat_map(|(number, package, core)| {
                [(number, "physical_package_id", package), (number, "core_id", core)]
            })
            .collect();
        assert_eq!(cores(&files, &[0, 1, 2, 3]), ["0, 3", "1", "2"]);
    }

    #[test]
    fn processors_that_nothing_is_known_of_are_cores_of_their_own() {
        assert_eq!(cores(&[], &[5, 3, 3]), ["3", "5"]);
        assert_eq!(cores(&[(3, "thread_siblings_list", "?")], &[3, 5]), ["3", "5"]);
    }

    #[test]
    fn a_thread_and_what_it_starts_keep_to_their_processors() {
        let thread = std::thread::spawn(|| {
            let all = ProcessorSet::allowed().unwrap();
            let last: ProcessorSet = all.numbers().last().copied().into_iter().collect();
            last.keep_this_thread().unwrap();
            let child = std::thread::spawn(|| ProcessorSet::allowed().unwrap()).join().unwrap();
            (last, child)
        });
        let (wanted, inherited) = thread.join().unwrap();
        assert_eq!(wanted, inherited);
    }
}
