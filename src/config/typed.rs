//! A YAML document as `serde_yaml` types it: every doubled key kept, no places.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

/// A value without its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Typed {
    Null,
    Bool(bool),
    Int(i128),
    Float,
    Text(String),
    List(Vec<Typed>),
    Map(Vec<(Typed, Typed)>),
}

/// Reads a value, as long as the counter of values that are left has not run out.
#[derive(Clone, Copy)]
pub(super) struct TypedSeed<'a>(pub &'a Cell<usize>);

impl<'de> DeserializeSeed<'de> for TypedSeed<'_> {
    type Value = Typed;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Typed, D::Error> {
        let left =
            self.0.get().checked_sub(1).ok_or_else(|| D::Error::custom("too many values in one file"))?;
        self.0.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TypedSeed<'_> {
    type Value = Typed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Typed, E> {
        Ok(Typed::Null)
    }

    /// A document without any content.
    fn visit_none<E>(self) -> Result<Typed, E> {
        Ok(Typed::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Typed, E> {
        Ok(Typed::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Typed, E> {
        Ok(Typed::Int(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Typed, E> {
        Ok(Typed::Int(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Typed, E> {
        Ok(Typed::Int(value))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Typed, E> {
        Ok(i128::try_from(value).map_or(Typed::Float, Typed::Int))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Typed, E> {
        Ok(Typed::Float)
    }

    fn visit_str<E>(self, value: &str) -> Result<Typed, E> {
        Ok(Typed::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Typed, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Typed::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Typed, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = pairs.next_key_seed(self)? {
            map.push((key, pairs.next_value_seed(self)?));
        }
        Ok(Typed::Map(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Typed, A::Error> {
        Err(A::Error::custom("tags, such as `!name`, have no meaning in a match file"))
    }
}
