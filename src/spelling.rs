//! Suggestions for misspelt words.

/// The Levenshtein distance of two texts: the number of bytes to insert, delete or replace to make one of the
/// other.
pub(crate) fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let exchanged = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn every_change_of_a_letter_counts_once() {
        for (one, other, distance) in [
            ("", "", 0),
            ("mate", "mate", 0),
            ("mate", "", 4),
            ("knight", "night", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(edit_distance(one, other), distance);
            assert_eq!(edit_distance(other, one), distance);
        }
    }
}
