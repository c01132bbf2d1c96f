// broadsheet generate kotlin --name Schemas catalog.json; tag c8b9d32766ccd534; do not edit

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** The types of the catalog. */
object Schemas {
    /** Data by its cell type. */
    sealed class Cell {
        /** The name of the cell type. */
        abstract val type: String

        /** The data as JSON. */
        abstract fun toJson(): JsonElement

        data class Product(val data: JsonElement) : Schemas.Cell() {
            override val type get() = "Product"
            override fun toJson(): JsonElement = data
        }

        /** A cell type that this file does not have, or data that does not fit. */
        data class Unknown(override val type: String, val data: JsonElement) : Schemas.Cell() {
            override fun toJson(): JsonElement = data
        }

        companion object {
            /** Returns the data of a type; it never throws. */
            fun of(type: String, data: JsonElement): Schemas.Cell = try {
                when (type) {
                    "Product" -> Product(data)
                    else -> Unknown(type, data)
                }
            } catch (error: kotlin.IllegalArgumentException) {
                Unknown(type, data)
            }
        }
    }

    /** Data by its unit type. */
    sealed class Unit {
        /** The name of the unit type. */
        abstract val type: String

        /** The unit as a page has it. */
        abstract fun toJson(): JsonElement

        data class Products(val data: List<Product>) : Schemas.Unit() {
            override val type get() = "PRODUCTS"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", JsonArray(data.map { it.toJson() }))
        }

        /** A unit type that this file does not have, or data that does not fit. */
        data class Unknown(override val type: String, val data: JsonElement) : Schemas.Unit() {
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        companion object {
            /** Returns the data of a type; it never throws. */
            fun of(type: String, data: JsonElement): Schemas.Unit = try {
                when (type) {
                    "PRODUCTS" -> Products(_list(data) { Product.of(it) })
                    else -> Unknown(type, data)
                }
            } catch (error: kotlin.IllegalArgumentException) {
                Unknown(type, data)
            }
        }
    }

    /** By the schema /units/PRODUCTS/schema/$defs/product */
    data class Product(
        /** Pattern: ^P[0-9]+$ */
        val id: String,
        val price: Long,
        val title: String? = null
    ) {
        /** Returns the object as JSON. */
        fun toJson(): JsonObject {
            val _members = LinkedHashMap<String, JsonElement>()
            _members["id"] = JsonPrimitive(id)
            _members["price"] = JsonPrimitive(price)
            title?.let { _members["title"] = JsonPrimitive(it) }
            return JsonObject(_members)
        }

        companion object {
            /** Reads JSON, or throws an IllegalArgumentException. */
            fun of(json: JsonElement): Product {
                val members = _members(json)
                return Product(
                    _string(_required(members, "id")),
                    _long(_required(members, "price")),
                    members["title"]?.let { _orNull(it) { _string(it) } }
                )
            }
        }
    }

    /** The names of cell types. */
    object CellType {
        const val Product = "Product"
    }

    /** The names of unit types. */
    object UnitType {
        const val Products = "PRODUCTS"
    }

    private fun _object(
        type: String, typeName: String, data: String, value: JsonElement
    ): JsonObject {
        val members = LinkedHashMap<String, JsonElement>()
        members[type] = JsonPrimitive(typeName)
        members[data] = value
        return JsonObject(members)
    }

    private fun _required(members: Map<String, JsonElement>, name: String): JsonElement =
        members[name] ?: _fail(name + " is missing")

    private fun _members(json: JsonElement): Map<String, JsonElement> =
        json as? JsonObject ?: _fail("not an object")

    private inline fun <T> _list(json: JsonElement, read: (JsonElement) -> T): List<T> =
        (json as? JsonArray ?: _fail("not an array")).map { read(it) }

    private inline fun <T> _orNull(json: JsonElement, read: (JsonElement) -> T): T? =
        if (json is JsonNull) null else read(json)

    private fun _string(json: JsonElement): String =
        if (json is JsonPrimitive && json.isString) json.content else _fail("not a string")

    private fun _long(json: JsonElement): Long {
        val literal = _literal(json)
        return literal.toLongOrNull() ?: try {
            java.math.BigDecimal(literal).longValueExact()
        } catch (error: ArithmeticException) {
            _fail("not a whole number of 64 bits")
        }
    }

    private fun _literal(json: JsonElement): String =
        if (json is JsonPrimitive && !json.isString) json.content else _fail("not a literal")

    private fun _fail(reason: String): Nothing = throw IllegalArgumentException(reason)
}
